import Foundation

/// A Swift package in this program: which version the build resolved it to.
struct ResolvedPackage: Sendable {
    let name: String
    /// The version, or the branch if the build took one.
    let version: String?
    let revision: String?
    let location: String

    struct Unreadable: Error, CustomStringConvertible {
        var description: String { "the list of packages in this program can't be read" }
    }

    /// Returns the packages of the build, by name.
    ///
    /// `packages.json` is a link to the `Package.resolved` that SwiftPM writes before it compiles anything. The compiler
    /// embeds it, so the list belongs to this binary, wherever that is installed.
    static func all() throws(Unreadable) -> [ResolvedPackage] {
        try read(PackageResources.packages_json)
    }

    static func read(_ bytes: [UInt8]) throws(Unreadable) -> [ResolvedPackage] {
        guard let file = try? JSONDecoder().decode(File.self, from: Data(bytes)) else { throw Unreadable() }
        return file.pins.map { pin in
            ResolvedPackage(
                name: pin.identity, version: pin.state.version ?? pin.state.branch, revision: pin.state.revision,
                location: pin.location)
        }.sorted { $0.name < $1.name }
    }

    /// The parts of a `Package.resolved` that are needed.
    private struct File: Decodable {
        struct Pin: Decodable {
            struct State: Decodable {
                let version: String?
                let branch: String?
                let revision: String?
            }

            let identity: String
            let location: String
            let state: State
        }

        let pins: [Pin]
    }
}
