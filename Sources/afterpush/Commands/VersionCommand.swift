import ArgumentParser
import JSON

struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version, and with --dependencies those of the compiler, packages and libraries.",
        discussion: """
            With --dependencies, it also prints the Swift compiler and the Swift packages that are part of this binary, and \
            the shared libraries that it loads on this machine, with the version if the library reports one. Needs neither \
            settings nor a database.

            Example:
              afterpush version
              afterpush version --dependencies --format json
            """)

    @Flag(help: "Also print compiler, packages and libraries.") var dependencies = false
    @Option(help: "text or json.") var format = "text"

    func validate() throws {
        guard ["text", "json"].contains(format) else { throw ValidationError("--format must be text or json") }
    }

    func run() throws {
        let isJSON = format == "json"
        guard dependencies else {
            Terminal.print(isJSON ? JSONText.object([("version", JSONText.string(Self.version))]) : Self.version)
            return
        }
        let packages = try ResolvedPackage.all()
        let libraries = LoadedLibrary.all()
        Terminal.print(isJSON ? Self.json(packages, libraries) : Self.text(packages, libraries))
    }

    private static let version = ProgramVersion.current.rawValue

    private static func text(_ packages: [ResolvedPackage], _ libraries: [LoadedLibrary]) -> String {
        let lines =
            [["program", "afterpush", version, ""], ["compiler", "swift", SwiftCompiler.version, ""]]
            + packages.map { ["package", $0.name, $0.version ?? "", $0.revision ?? ""] }
            + libraries.map { ["library", $0.name, $0.version ?? "", $0.file] }
        return lines.map { $0.joined(separator: "\t") }.joined(separator: "\n")
    }

    private static func json(_ packages: [ResolvedPackage], _ libraries: [LoadedLibrary]) -> String {
        func text(_ value: String?) -> String { value.map { JSONText.string($0) } ?? "null" }
        return JSONText.object([
            ("version", JSONText.string(version)),
            ("swift", JSONText.string(SwiftCompiler.version)),
            (
                "packages",
                JSONText.array(
                    packages.map {
                        JSONText.object([
                            ("name", JSONText.string($0.name)), ("version", text($0.version)),
                            ("revision", text($0.revision)), ("location", JSONText.string($0.location)),
                        ])
                    })
            ),
            (
                "libraries",
                JSONText.array(
                    libraries.map {
                        JSONText.object([
                            ("name", JSONText.string($0.name)), ("version", text($0.version)),
                            ("file", JSONText.string($0.file)),
                        ])
                    })
            ),
        ])
    }
}
