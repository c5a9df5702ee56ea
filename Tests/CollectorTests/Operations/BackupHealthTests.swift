import Foundation
import LocalPostgres
import TestSupport
import Testing

/// Tests what the metrics and `afterpush doctor` say of the backups of the program's own cluster.
struct BackupHealthTests {
    private typealias Backups = Faults.BackupFaults

    @Test func `metrics and doctor say how old the backup is, and that the archive fails`() async throws {
        try await Backups.withDirectories { backups, data in
            let places = ["--data-dir", data, "--dir", backups]
            let collector = try await CollectorProcess(conninfo: nil, arguments: ["--data-dir", data])
            let client = TestClient(url: collector.url)
            func metrics(_ isExpected: (MetricsText) -> Bool) async throws -> MetricsText {
                for _ in 0..<1_800 {
                    let metrics = try MetricsText(try await client.get("/metrics", key: nil).text)
                    if isExpected(metrics) { return metrics }
                    try await Task.sleep(for: .milliseconds(100))
                }
                throw Program.Failed(
                    message: "the metrics did not change: \(try await client.get("/metrics", key: nil).text)")
            }
            let without = try await metrics { $0["afterpush_rollup_lag_seconds"] != nil }
            #expect(without["afterpush_backup_age_seconds"] == nil && without["afterpush_archive_failures"] == nil)
            try await Backups.program(["backup"] + places)
            let working = try await metrics { $0["afterpush_backup_age_seconds"] != nil }
            #expect(working["afterpush_archive_failures"] == 0)
            let age = try #require(working["afterpush_backup_age_seconds"])
            #expect((0..<120).contains(age))
            let archived = try #require(working["afterpush_archive_age_seconds"])
            // The file that says where the backup began may still wait.
            #expect((0..<120).contains(archived) && working["afterpush_archive_waiting_files"] ?? 99 < 3)

            // No file can be put there, as when the disk is missing.
            let archives = backups + "/archives"
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: archives).first)
            let log = "\(archives)/\(name)/wal"
            try FileManager.default.moveItem(atPath: log, toPath: log + ".away")
            let conninfo = try #require(LocalCluster.detected(.init(dataDirectory: data))).conninfo
            try await Backups.script("select pg_switch_wal() from pg_create_restore_point('test')", conninfo)
            let failing = try await metrics { $0["afterpush_archive_failures"] ?? 0 > 1 }
            #expect(failing["afterpush_archive_waiting_files"] ?? 0 > 0)
            let said = try await Program.run(["doctor", "--data-dir", data])
            #expect(said.output.contains(/fail  archive +[0-9A-F]{24} can't be archived/), "\(said.output)")

            try FileManager.default.moveItem(atPath: log + ".away", toPath: log)
            _ = try await metrics { $0["afterpush_archive_failures"] == 0 }
            await collector.stop()
        }
    }

    @Test func `backup and doctor name a former directory that is not there, until it is given up`() async throws {
        try await Backups.withDirectories { backups, data in
            let new = ["--data-dir", data + "-new"]
            try await Backups.program(["apps", "create", "shop", "--data-dir", data])
            try await Backups.program(["backup", "--data-dir", data, "--dir", backups])
            try await Backups.program(["restore", "--dir", backups] + new)
            try FileManager.default.moveItem(atPath: backups, toPath: backups + "-away")
            /// Returns whether a backup warns of the former directory, and whether doctor does then.
            func warnings() async throws -> [Bool] {
                let backup = try await Backups.program(["backup", "--dir", backups + "-later"] + new)
                let doctor = try await Program.run(["doctor"] + new)
                return [
                    backup.error.contains("could not note in the former backup directory where backups go now"),
                    doctor.output.contains(/warn  former_backups +/),
                ]
            }
            #expect(try await warnings() == [true, true])
            try await Backups.program(["backup", "forget", backups] + new)
            #expect(try await warnings() == [false, false])
            let unknown = try await Program.run(["backup", "forget", backups] + new)
            #expect(unknown.status == 1 && unknown.error.contains("is not waiting for a note"), "\(unknown.error)")
        }
    }

    @Test func `a backup beside which erased devices can't be listed stays, and its command fails`() async throws {
        try await Backups.withDirectories { backups, data in
            let places = ["--data-dir", data, "--dir", backups]
            let collector = try await CollectorProcess(conninfo: nil, arguments: ["--data-dir", data])
            try await Backups.program(["backup"] + places)
            let files = try FileManager.default.contentsOfDirectory(atPath: backups + "/erased")
            let list = backups + "/erased/" + (try #require(files.first { $0.hasSuffix(".list") }))
            try FileManager.default.moveItem(atPath: list, toPath: list + ".away")
            try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
            let failed = try await Program.run(["backup"] + places)
            #expect(failed.status == 1)
            #expect(failed.error.contains("a restore may bring erased devices back"), "\(failed.error)")
            #expect(try Backups.backups(in: backups).count == 2)
            try FileManager.default.removeItem(atPath: list)
            try FileManager.default.moveItem(atPath: list + ".away", toPath: list)
            try await Backups.program(["backup"] + places)
            await collector.stop()
        }
    }
}
