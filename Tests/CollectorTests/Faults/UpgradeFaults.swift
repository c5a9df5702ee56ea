import Foundation
import Glibc
import LocalPostgres
import SeededRandom
import TestSupport
import Testing

extension Faults {
    /// Tests `afterpush upgrade`, with a second major version of PostgreSQL if there is one, and else with programs that
    /// claim to be one.
    @Suite(.serialized) struct UpgradeFaults {
        /// The directory of a newer PostgreSQL: AFTERPUSH_TEST_NEWER_POSTGRES, or the newest of Debian's.
        private static var newer: String? {
            if let named = ProcessInfo.processInfo.environment["AFTERPUSH_TEST_NEWER_POSTGRES"] { return named }
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
            let numbers = versions.compactMap { Int($0) }.sorted()
            return numbers.count > 1 ? numbers.last.map { "/usr/lib/postgresql/\($0)/bin" } : nil
        }

        private static var oldest: String {
            let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
            return "/usr/lib/postgresql/\(versions.compactMap { Int($0) }.min() ?? 15)/bin"
        }

        @Test func `E38: an upgrade that is killed at any point leaves the old cluster or the new one`() async throws {
            let title = "afterpush upgrade killed"
            guard let newer = Self.newer else {
                return FaultTable.skip("E38", title, because: "no second version of PostgreSQL; see docs/upgrade.md")
            }
            try await FaultTable.run("E38", title, atMost: 1) { run in
                try await BackupFaults.withDirectories { _, target in
                    let (directory, original) = (target + "/cluster", target + "/original")
                    try await Self.create(original)
                    let arguments = ["upgrade", "--data-dir", directory, "--bin", newer]
                    let old = ["AFTERPUSH_POSTGRES_BIN": Self.oldest]
                    let version = directory + "/postgres/PG_VERSION"
                    var command = KilledCommand(
                        arguments, environment: old,
                        isStepTaken: { try String(contentsOfFile: version, encoding: .utf8) != "15\n" }
                    ) {
                        try? FileManager.default.removeItem(atPath: directory)
                        try await Self.copy(original, to: directory)
                    }
                    try await command.measure()
                    run.expect(try await Self.state(directory, newer: newer) != "15", "not upgraded")
                    let points = BackupFaults.points
                    var random = SeededGenerator(seed: run.seed)
                    var states: [String] = []
                    for (share, isAfterStep) in KilledCommand.moments(
                        before: points - points / 3, after: points / 3, &random)
                    {
                        let isTaken = try await command.kill(at: share, ofPartAfterStep: isAfterStep)
                        let state = try await Self.state(directory, newer: newer)
                        run.expect((state != "15") == isTaken, "version \(state), \(isTaken)")
                        states.append(state)
                        // Either way, the command can be repeated.
                        let again = try await Program.run(arguments, environment: old)
                        let isDone =
                            again.status == 0 || again.error.contains("is not installed")
                            || again.error.contains("was made by")
                        run.expect(isDone, "repeated: \(again.error)")
                        run.expect(
                            try await Self.state(directory, newer: newer) != "15", "not upgraded the second time")
                    }
                    run.note("versions after the kills: \(states.joined(separator: " "))")
                    let upgraded = states.count { $0 != "15" }
                    run.expect(
                        upgraded >= points / 3 && upgraded < points,
                        "\(upgraded) of \(points) killed after the exchange")
                }
            }
        }

        @Test func `after an upgrade reports have no more rights than before`() async throws {
            guard let newer = Self.newer else {
                return print("SKIPPED: no second version of PostgreSQL; see docs/upgrade.md")
            }
            try await BackupFaults.withDirectories { _, target in
                try await Self.create(target)
                let place = ["--data-dir", target]
                try await BackupFaults.program(
                    ["upgrade", "--bin", newer] + place, environment: ["AFTERPUSH_POSTGRES_BIN": Self.oldest])
                let new = ["AFTERPUSH_POSTGRES_BIN": newer]
                try await BackupFaults.program(["migrate"] + place, environment: new)
                try await Self.expectReportsCanOnlyRead(target, programs: newer)
            }
        }

        @Test func `an upgrade that fails leaves a cluster in which reports have no more rights than before`()
            async throws
        {
            try await BackupFaults.withDirectories { fake, target in
                try await Self.create(target)
                let old = ["AFTERPUSH_POSTGRES_BIN": Self.oldest]
                try Self.fake(fake, pgUpgrade: "case \"$*\" in *--check*) exit 0 ;; esac; echo 'broken'; exit 1")
                let failed = try await Program.run(
                    ["upgrade", "--data-dir", target, "--bin", fake], environment: old)
                #expect(
                    failed.error.contains("pg_upgrade failed, and the cluster is unchanged: broken"), "\(failed.error)")
                try await BackupFaults.program(["migrate", "--data-dir", target], environment: old)
                try await Self.expectReportsCanOnlyRead(target, programs: Self.oldest)
            }
        }

        @Test func `an upgrade says what is missing, and changes nothing`() async throws {
            try await BackupFaults.withDirectories { fake, target in
                try await Self.create(target)
                let old = ["AFTERPUSH_POSTGRES_BIN": Self.oldest]
                let none = try await Program.run(
                    ["upgrade", "--to", "98", "--data-dir", target], environment: old)
                #expect(none.status == 1 && none.error.contains("PostgreSQL 98 is not installed"), "\(none.error)")

                try Self.fake(fake, pgUpgrade: nil)
                let incomplete = try await Program.run(
                    ["upgrade", "--data-dir", target, "--bin", fake], environment: old)
                #expect(incomplete.error.contains("has no pg_upgrade"), "\(incomplete.error)")

                try Self.fake(fake, pgUpgrade: "echo '*failure*'; echo 'the libraries differ'; exit 1")
                let failing = try await Program.run(
                    ["upgrade", "--data-dir", target, "--bin", fake], environment: old)
                #expect(
                    failing.error.contains("the check failed, and the cluster is unchanged")
                        && failing.error.contains("the libraries differ"), "\(failing.error)")
                let log = fake + "/dump.log"
                try Data().write(to: URL(filePath: log))
                chmod(log, 0o666)
                try Self.fake(
                    fake,
                    pgUpgrade: "echo 'pg_restore: error: no collation' >\(log); echo 'see \"\(log)\" for'; exit 1")
                let logged = try await Program.run(
                    ["upgrade", "--data-dir", target, "--bin", fake], environment: old)
                #expect(logged.error.contains("pg_restore: error: no collation"), "\(logged.error)")
                let left = try FileManager.default.contentsOfDirectory(atPath: target)
                #expect(!left.contains("upgrading"), "\(left)")
                try await BackupFaults.withCluster(target) { conninfo in
                    #expect(try await BackupFaults.text("select name from afterpush.state", conninfo) == "kept")
                    let used = try await Program.run(
                        ["upgrade", "--data-dir", target, "--bin", fake], environment: old)
                    #expect(used.error.contains("stop it first"), "\(used.error)")
                }
            }
        }

        @Test func `an upgraded cluster knows where it was backed up`() async throws {
            try await BackupFaults.withDirectories { fake, target in
                try await Self.create(target)
                let old = ["AFTERPUSH_POSTGRES_BIN": Self.oldest]
                let backups = fake + "-of-old"
                try await BackupFaults.program(["backup", "--data-dir", target, "--dir", backups], environment: old)
                // What the new cluster has before the data comes.
                let copy = fake + "/copy"
                try Self.fake(
                    fake, pgUpgrade: "cat \(target)/upgrading/postgres/afterpush.backups >\(copy); echo broken; exit 1")
                try Data().write(to: URL(filePath: copy))
                chmod(copy, 0o666)
                let failed = try await Program.run(
                    ["upgrade", "--data-dir", target, "--bin", fake], environment: old)
                #expect(failed.error.contains("the check failed"), "\(failed.error)")
                let text = try String(contentsOfFile: copy, encoding: .utf8)
                #expect(text.contains("unnoted \(backups)\n"), "\(text)")
            }
        }

        @Test func `an upgrade that is killed while files are linked is undone by the next start`() async throws {
            try await BackupFaults.withDirectories { fake, target in
                try await Self.create(target)
                // It does what pg_upgrade does first to link, and then hangs.
                let control = "\(target)/postgres/global/pg_control"
                try Self.fake(
                    fake,
                    pgUpgrade: "case \"$*\" in *--check*) exit 0 ;; esac; mv \(control) \(control).old; exec sleep 600")
                let process = try ChildProcess(
                    Program.url, ["upgrade", "--data-dir", target, "--bin", fake],
                    environment: ProcessInfo.processInfo.environment
                        .merging(["AFTERPUSH_POSTGRES_BIN": Self.oldest]) { $1 })
                let deadline = ContinuousClock.now + .seconds(60)
                while !FileManager.default.fileExists(atPath: control + ".old"), ContinuousClock.now < deadline {
                    try await Task.sleep(for: .milliseconds(20))
                }
                kill(process.processIdentifier, SIGKILL)
                while process.isRunning { try await Task.sleep(for: .milliseconds(5)) }
                #expect(!FileManager.default.fileExists(atPath: control))
                try await BackupFaults.withCluster(target) { conninfo in
                    let name = try await BackupFaults.text("select name from afterpush.state", conninfo)
                    #expect(name == "kept")
                }
                #expect(!FileManager.default.fileExists(atPath: target + "/upgrading"))
            }
        }

        /// Creates a cluster of the oldest version with the program's schema and a table.
        private static func create(_ directory: String) async throws {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            chmod(directory, 0o755)
            var configuration = LocalCluster.Configuration(dataDirectory: directory)
            configuration.binDirectory = Self.oldest
            let cluster = try await LocalCluster.open(configuration, logger: TestCluster.logger)
            // The newer version may have been built without ICU. The schema uses this collation if it is there.
            try await BackupFaults.script("drop collation if exists pg_catalog.\"und-x-icu\"", cluster.conninfo)
            try await BackupFaults.program(
                ["migrate", "--data-dir", directory], environment: ["AFTERPUSH_POSTGRES_BIN": Self.oldest])
            try await BackupFaults.script("create table afterpush.state as select 'kept' as name", cluster.conninfo)
            await cluster.close()
        }

        private static func copy(_ directory: String, to copy: String) async throws {
            let output = try await Program.run(["-a", directory, copy], program: URL(filePath: "/bin/cp"))
            guard output.status == 0 else { throw Program.Failed(message: output.error) }
        }

        /// Asks `doctor`, which looks at a running cluster only.
        private static func expectReportsCanOnlyRead(_ directory: String, programs: String) async throws {
            try await BackupFaults.withCluster(directory, programs: programs) { _ in
                let doctor = try await Program.run(
                    ["doctor", "--data-dir", directory], environment: ["AFTERPUSH_POSTGRES_BIN": programs])
                #expect(doctor.output.contains("reports can only read"), "\(doctor.output)\(doctor.error)")
            }
        }

        /// Returns the version of a cluster that has the table.
        private static func state(_ directory: String, newer: String) async throws -> String {
            var configuration = LocalCluster.Configuration(dataDirectory: directory)
            configuration.binDirectory = "\(Self.oldest):\(newer)"
            let cluster = try await LocalCluster.open(configuration, logger: TestCluster.logger)
            let sql =
                "select split_part(current_setting('server_version'), '.', 1) from afterpush.state where name = 'kept'"
            let version = try await BackupFaults.text(sql, cluster.conninfo)
            await cluster.close()
            return version
        }

        /// Writes programs that run those of the oldest version, and say that they are of version 99.
        private static func fake(_ directory: String, pgUpgrade: String?) throws {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            chmod(directory, 0o755)
            var scripts: [String: String] = [:]
            for name in [
                "initdb", "pg_ctl", "pg_dump", "pg_dumpall", "pg_restore", "psql", "vacuumdb", "pg_resetwal",
                "pg_controldata", "createdb",
            ] { scripts[name] = "exec \(Self.oldest)/\(name) \"$@\"" }
            scripts["postgres"] =
                "if [ \"$1\" = --version ]; then echo 'postgres (PostgreSQL) 99.1'; else exec \(Self.oldest)/postgres \"$@\"; fi"
            scripts["pg_upgrade"] = pgUpgrade
            for (name, script) in scripts {
                try "#!/bin/sh\n\(script)\n".write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
                chmod("\(directory)/\(name)", 0o755)
            }
        }
    }
}
