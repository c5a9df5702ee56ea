import Foundation
import TestSupport
import Testing

/// Tests `afterpush version`, and that the packages of this build are no versions with known holes.
@Suite struct VersionTests {
    private struct Dependencies: Decodable {
        struct Package: Decodable, Hashable {
            let name: String
            let version: String?
            let revision: String?
            let location: String
        }

        struct Library: Decodable {
            let name: String
            let version: String?
            let file: String
        }

        let version: String
        let swift: String
        let packages: [Package]
        let libraries: [Library]
    }

    /// What SwiftPM resolved for the build that made the program and these tests.
    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable {
                let version: String?
                let revision: String?
            }

            let identity: String
            let location: String
            let state: State
        }

        let pins: [Pin]
    }

    /// The first version of each package without the hole that the advisory describes.
    private static let fixedVersions = [
        // CVE-2026-28898.
        "swift-nio-http2": "1.44.0",
        // CVE-2026-43820.
        "swift-nio-ssl": "2.37.2",
        // Released together with the fix of swift-nio-http2.
        "swift-nio-extras": "1.34.1",
        // CVE-2026-43823.
        "swift-crypto": "4.5.1",
        // CVE-2025-0343.
        "swift-asn1": "1.3.1",
        // CVE-2023-0040.
        "async-http-client": "1.13.2",
    ]

    private func dependencies() async throws -> Dependencies {
        let output = try await Program.run(["version", "--dependencies", "--format", "json"])
        #expect(output.status == 0 && output.error.isEmpty, "\(output.error)")
        return try JSONDecoder().decode(Dependencies.self, from: Data(output.output.utf8))
    }

    private static func isAtLeast(_ version: String, _ least: String) -> Bool {
        version.compare(least, options: .numeric) != .orderedAscending
    }

    @Test func `the command prints the version without settings or a database`() async throws {
        let nowhere = ["AFTERPUSH_CONFIG": "/nowhere", "AFTERPUSH_DATABASE_URL": "postgres://127.0.0.1:1/none"]
        let short = try await Program.run(["version"], environment: nowhere)
        #expect(short.status == 0 && short.output == "0.1.0\n", "\(short)")
        #expect(try await Program.run(["--version"]).output == short.output)
        #expect(try await Program.run(["version", "--format", "json"]).output == #"{"version":"0.1.0"}"# + "\n")
        #expect(try await Program.run(["version", "--format", "xml"]).status == 2)
    }

    @Test func `the packages are those that the build resolved`() async throws {
        let file = Program.root.appending(path: "Package.resolved")
        let resolved = try JSONDecoder().decode(Resolved.self, from: Data(contentsOf: file))
        let packages = try await dependencies().packages
        #expect(
            Set(packages)
                == Set(
                    resolved.pins.map {
                        Dependencies.Package(
                            name: $0.identity, version: $0.state.version, revision: $0.state.revision,
                            location: $0.location)
                    }))
        #expect(packages.map(\.name) == packages.map(\.name).sorted() && packages.count > 20)
    }

    @Test func `the libraries are the files that the process has loaded, with the versions that they report`()
        async throws
    {
        let libraries = try await dependencies().libraries
        for library in libraries {
            #expect(FileManager.default.fileExists(atPath: library.file), "\(library)")
            #expect(library.file.hasSuffix("/" + library.name))
        }
        for (name, pattern) in [
            ("libpq.so", #/[1-9][0-9]\.[0-9]+/#), ("libsqlite3.so", #/3\.[0-9]+\.[0-9]+/#),
            ("libz.so", #/1\.[0-9.]+/#), ("libcrypto.so", #/[3-9]\.[0-9]+\.[0-9]+[a-z]?/#),
            ("libc.so", #/2\.[0-9]+/#),
        ] as [(String, Regex<Substring>)] {
            let found = libraries.filter { $0.name.hasPrefix(name) }
            #expect(found.count == 1, "\(name): \(found)")
            #expect(try found.first?.version.map { try pattern.wholeMatch(in: $0) != nil } == true, "\(found)")
        }
        #expect(libraries.contains { $0.name == "libswiftCore.so" })
    }

    @Test func `the compiler is the one on this machine, or an older version if that is too new`() async throws {
        let named = try await dependencies().swift
        let output = try await Program.run(["swift", "--version"], program: URL(filePath: "/usr/bin/env"))
        let actual = try #require(output.output.firstMatch(of: /Swift version ([0-9.]+)/), "\(output)")
        if named.contains(" or ") {
            #expect(Self.isAtLeast(String(actual.1), String(named.prefix { $0 != " " })), "\(actual.1)")
        } else {
            #expect(named == actual.1)
        }
    }

    @Test func `the text has a line for each part`() async throws {
        let all = try await dependencies()
        let output = try await Program.run(["version", "--dependencies"]).output
        let lines = output.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        #expect(lines.count == 2 + all.packages.count + all.libraries.count)
        #expect(lines.first == ["program", "afterpush", "0.1.0", ""])
        #expect(lines.dropFirst().first == ["compiler", "swift", all.swift[...], ""])
        let crypto = try #require(all.packages.first { $0.name == "swift-crypto" })
        #expect(output.contains("\npackage\tswift-crypto\t\(crypto.version ?? "-")\t\(crypto.revision ?? "-")\n"))
        let libpq = try #require(all.libraries.first { $0.name.hasPrefix("libpq.so") })
        #expect(output.contains("\nlibrary\t\(libpq.name)\t\(libpq.version ?? "-")\t\(libpq.file)\n"))
    }

    @Test func `no package of the build has a known hole`() async throws {
        let versions = Dictionary(
            uniqueKeysWithValues: try await dependencies().packages.map { ($0.name, $0.version ?? "0") })
        for (name, fixed) in Self.fixedVersions {
            let version = try #require(versions[name], "\(name) is no longer a dependency; remove it here")
            #expect(Self.isAtLeast(version, fixed), "\(name) \(version)")
        }
    }

    @Test func `the manifest admits no version with a known hole`() throws {
        let manifest = try String(contentsOf: Program.root.appending(path: "Package.swift"), encoding: .utf8)
        let floors = Dictionary(
            uniqueKeysWithValues: manifest.matches(of: /\.package\(url: ".*\/([^\/"]+)", from: "([0-9.]+)"/).map {
                (String($0.1).replacing(".git", with: ""), String($0.2))
            })
        #expect(floors.count > 10)
        for (name, fixed) in Self.fixedVersions {
            guard let floor = floors[name] else { continue }
            #expect(Self.isAtLeast(floor, fixed), "\(name) from \(floor)")
        }
        // Hummingbird brings these; 2.28.1 requires versions of them without holes.
        #expect(Self.isAtLeast(try #require(floors["hummingbird"]), "2.28.1"))
    }
}
