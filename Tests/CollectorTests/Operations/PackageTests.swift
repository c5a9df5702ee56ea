import AfterpushWire
import Foundation
import TestSupport
import Testing

/// Tests what is in the Debian package, made from the program of these tests. `make test-long` installs one.
struct PackageTests {
    /// The package's path, and the files of it by their path: permissions and owner.
    private struct Package {
        let path: String
        let files: [String: String]
    }

    private static let package = Task {
        let directory = Program.url.deletingLastPathComponent().appending(path: "package")
        // The program of the tests uses libraries of the toolchain, which no package has.
        let made = try await Program.run(
            [Program.url.path, directory.path], program: Program.root.appending(path: "packaging/deb"),
            environment: [
                "DEB_OPTIONS": "-Zgzip -z1", "SHLIBDEPS_OPTIONS": "--ignore-missing-info", "DEB_VERSION": "1.2.3",
            ])
        guard made.status == 0 else { throw Program.Failed(message: made.error) }
        let path = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let listing = try await Self.run("dpkg-deb", "--contents", path)
        let files = listing.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        return Package(
            path: path,
            files: Dictionary(uniqueKeysWithValues: files.map { (String($0[5].dropFirst()), "\($0[0]) \($0[1])") }))
    }

    private static func run(_ program: String, _ arguments: String...) async throws -> String {
        let run = try await Program.run(arguments, program: URL(filePath: "/usr/bin/\(program)"))
        guard run.status == 0 else { throw Program.Failed(message: "\(program): \(run.output)\(run.error)") }
        return run.output
    }

    /// The text of a file in the package.
    private static func text(_ path: String) async throws -> String {
        let package = try await Self.package.value
        let script = "set -o pipefail; dpkg-deb --fsys-tarfile '\(package.path)' | tar --extract --to-stdout '.\(path)'"
        let run = try await Program.run(["-c", script], program: URL(filePath: "/bin/bash"))
        guard run.status == 0 else { throw Program.Failed(message: "\(path): \(run.error)") }
        return run.output
    }

    @Test func `the package has the program, its settings, unit, manual and reports, with their permissions`()
        async throws
    {
        let files = try await Self.package.value.files
        for (path, permissions) in [
            "/usr/bin/afterpush": "-rwxr-xr-x root/root", "/usr/lib/afterpush/afterpush": "-rwxr-xr-x root/root",
            "/etc/afterpush/afterpush.json": "-rw-r----- root/root",
            "/etc/default/afterpush": "-rw-r----- root/root",
            "/lib/systemd/system/afterpush.service": "-rw-r--r-- root/root",
            "/usr/lib/sysusers.d/afterpush.conf": "-rw-r--r-- root/root",
            "/usr/lib/tmpfiles.d/afterpush.conf": "-rw-r--r-- root/root",
            "/usr/share/man/man1/afterpush.1.gz": "-rw-r--r-- root/root",
            "/usr/share/bash-completion/completions/afterpush": "-rw-r--r-- root/root",
            "/usr/share/zsh/vendor-completions/_afterpush": "-rw-r--r-- root/root",
            "/usr/share/fish/vendor_completions.d/afterpush.fish": "-rw-r--r-- root/root",
            "/usr/share/afterpush/reports/conversion.sql": "-rw-r--r-- root/root",
            "/usr/share/afterpush/restrict_public.sql": "-rw-r--r-- root/root",
            "/usr/share/afterpush/grafana/dashboards/overview.json": "-rw-r--r-- root/root",
            "/usr/share/afterpush/prometheus/alerts.yml": "-rw-r--r-- root/root",
            "/usr/share/doc/afterpush/docs/install.md": "-rw-r--r-- root/root",
            "/usr/share/doc/afterpush/licenses/swift.txt.gz": "-rw-r--r-- root/root",
        ] {
            #expect(files[path] == permissions, "\(path)")
        }
        let licenses = files.keys.filter { $0.hasPrefix("/usr/share/doc/afterpush/licenses/swift-nio") }
        #expect(licenses.count >= 4)
        #expect(!files.keys.contains { $0.hasSuffix(".debug") })
    }

    @Test func `the package names what it needs and what it recommends`() async throws {
        let path = try await Self.package.value.path
        #expect(try await Self.run("dpkg-deb", "--field", path, "Version") == "1.2.3-1\n")
        let needs = try await Self.run("dpkg-deb", "--field", path, "Depends")
        #expect(needs.contains("libpq5 ") && needs.contains("libsqlite3-0 ") && needs.contains("libcurl4"))
        #expect(try await Self.run("dpkg-deb", "--field", path, "Recommends") == "libjs-chart.js, postgresql\n")
        let settings = try await Self.run("dpkg-deb", "--info", path, "conffiles")
        #expect(settings == "/etc/afterpush/afterpush.json\n/etc/default/afterpush\n")
    }

    @Test func `the exposure of the unit is below 2`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "unit-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let unit = directory.appending(path: "afterpush.service")
        let text = try await Self.text("/lib/systemd/system/afterpush.service")
        try Data(text.utf8).write(to: unit)
        _ = try await Self.run("systemd-analyze", "security", "--offline=true", "--threshold=20", unit.path)
        // SIGTERM to the server of the cluster would end it before the program is done with it.
        #expect(text.contains("\nKillMode=mixed\n"))
    }

    @Test func `the settings of the package are those of the service's user and directory`() async throws {
        let settings = try JSONDecoder().decode(
            [String: JSONValue].self, from: Data(try await Self.text("/etc/afterpush/afterpush.json").utf8))
        #expect(settings["data"] == .object(["dir": .string("/var/lib/afterpush")]))
        #expect(settings["postgres"] == .object(["user": .string("afterpush")]))
        #expect(try await Self.text("/usr/lib/sysusers.d/afterpush.conf").hasPrefix("u afterpush - "))
    }

    @Test func `root's commands have the environment of the service, which is not run as a script`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/wrapper-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let files = [
            "afterpush.json": "{}",
            "default": """
            # AFTERPUSH_HOST=::
              AFTERPUSH_DATABASE_URL=postgres://a:$(touch x)@db/afterpush?a=1&b=2
            AFTERPUSH_LOG_LEVEL="debug"
            AFTERPUSH_SPOOL_DIR='/a b'
            AFTERPUSH_PORT=1
            a-b=1
            nothing
            PGPASSWORD=last
            """,
            "program": "#!/bin/sh\nenv",
            "wrapper": try await Self.text("/usr/bin/afterpush")
                .replacing("/etc/afterpush/", with: directory + "/")
                .replacing("/etc/default/afterpush", with: directory + "/default")
                .replacing("/usr/lib/afterpush/afterpush", with: "/bin/sh \(directory)/program"),
        ]
        for (name, text) in files { try text.write(toFile: directory + "/" + name, atomically: false, encoding: .utf8) }
        let run = try await Program.run(
            [directory + "/wrapper"], program: URL(filePath: "/bin/sh"), environment: ["AFTERPUSH_PORT": "2"])
        let lines = Set(run.output.split(separator: "\n").map(String.init))
        #expect(
            lines.isSuperset(of: [
                "AFTERPUSH_CONFIG=\(directory)/afterpush.json",
                "AFTERPUSH_DATABASE_URL=postgres://a:$(touch x)@db/afterpush?a=1&b=2", "AFTERPUSH_LOG_LEVEL=debug",
                "AFTERPUSH_SPOOL_DIR=/a b", "AFTERPUSH_PORT=2", "PGPASSWORD=last",
            ]), "\(run)")
        #expect(!lines.contains("AFTERPUSH_HOST=::") && run.status == 0 && run.error.isEmpty, "\(run)")
    }

    @Test func `lintian finds no error`() async throws {
        // The program of the tests finds the libraries of the toolchain by a path in it.
        let run = try await Program.run(
            [
                "--allow-root", "--fail-on", "error,warning", "--suppress-tags", "custom-library-search-path",
                try await Self.package.value.path,
            ], program: URL(filePath: "/usr/bin/lintian"))
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func `the manual page has every command, and man finds nothing wrong with it`() async throws {
        let path = try await Self.package.value.path
        let script = """
            set -o pipefail
            dpkg-deb --fsys-tarfile '\(path)' | tar --extract --to-stdout ./usr/share/man/man1/afterpush.1.gz | gunzip |
                LC_ALL=C.UTF-8 MANWIDTH=200 man --warnings --local-file -
            """
        let run = try await Program.run(["-c", script], program: URL(filePath: "/bin/bash"))
        #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
        for command in ["serve", "keys create", "report", "doctor", "rollup verify"] {
            #expect(run.output.contains("\n       afterpush \(command)"), "\(command)")
        }
    }
}
