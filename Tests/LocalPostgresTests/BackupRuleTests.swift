import Foundation
import Testing

@testable import LocalPostgres

/// Tests the rules of backups that need no server.
struct BackupRuleTests {
    @Test func `the name of a segment says its timeline and number`() throws {
        let segment = try #require(WALSegment(name: "0000000100000002000000FF"))
        #expect(segment == WALSegment(timeline: 1, number: 2 * 256 + 255))
        #expect(WALSegment(timeline: 1, number: segment.number + 1).name == "000000010000000300000000")
        #expect(WALSegment(position: "2/FF000060", timeline: 1) == segment)
        for name in ["00000002.history", "000000010000000200000100", "000000010000000000000002.00000028.backup"] {
            #expect(WALSegment(name: name) == nil)
        }
    }

    @Test func `a gap between segments is found, and later timelines are no gap`() {
        let segments = [3, 4, 6, 7].map { WALSegment(timeline: 1, number: $0) } + [WALSegment(timeline: 2, number: 9)]
        let missing = WALSegment.missing(from: WALSegment(timeline: 1, number: 2), in: segments)
        #expect(missing.map(\.number) == [2, 5])
        #expect(WALSegment.missing(from: WALSegment(timeline: 1, number: 6), in: segments).isEmpty)
    }

    @Test(arguments: [
        (BackupRetention(count: 2, days: nil), ["1", "2"]), (BackupRetention(count: nil, days: 5), ["1"]),
        (BackupRetention(count: 1, days: 7), ["1"]), (BackupRetention(count: 3, days: 0), ["1"]),
        (BackupRetention(count: nil, days: 0), ["1", "2", "3"]), (BackupRetention(count: nil, days: nil), []),
    ]) func `a backup is removed if no rule keeps it, and never the newest`(rule: BackupRetention, removed: [String]) {
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let backups = [("1", 8.0), ("2", 4), ("3", 2), ("4", 1)].map { name, days in
            (name: name, endedAt: now.addingTimeInterval(-days * 86_400))
        }
        #expect(rule.expired(backups, at: now) == removed)
    }

    @Test func `PostgreSQL gets the moment of a recovery with microseconds`() {
        let moment = Date(timeIntervalSince1970: 1_764_067_500.000_125)
        #expect(RecoveryTarget(moment: moment).text == "2025-11-25 10:45:00.000125+00")
    }

    @Test func `the list of the directories that a cluster comes from takes only plain paths`() throws {
        let layout = ClusterLayout(
            base: FileManager.default.temporaryDirectory.path + "/origins-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(atPath: layout.cluster, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: layout.base) }
        #expect(BackupOrigins.read(layout) == BackupOrigins())
        // The server's user can write anything there.
        let lines = [
            "database test", "unnoted /mnt/a b", "noted /mnt/c", "unnoted /mnt/c", "noted /mnt/d", "noted", "x /mnt/e",
            "unnoted mnt", "unnoted /mnt/../etc", "unnoted /", "unnoted /mnt/", "unnoted /mnt\0/e", "unnoted ~", "",
        ]
        try lines.joined(separator: "\n").write(toFile: layout.originsFile, atomically: false, encoding: .utf8)
        var origins = BackupOrigins.read(layout)
        #expect(origins.database == "test")
        #expect(origins.unnoted == ["/mnt/a b", "/mnt/c"] && origins.noted == ["/mnt/d"])
        origins.markNoted("/mnt/c")
        #expect(origins.unnoted == ["/mnt/a b"] && origins.noted == ["/mnt/d", "/mnt/c"])
        var other = BackupOrigins()
        other.add(origins)
        #expect(other == BackupOrigins(), "another database has nothing there")
        other.database = "test"
        other.add("/mnt/d")
        other.add(origins)
        #expect(other.unnoted == ["/mnt/d", "/mnt/a b"] && other.noted == ["/mnt/c"])
    }

    @Test func `the archive script says where the archive is, whatever its name`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/script-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let archive = WALArchive(path: "/mnt/it's a \"disk\" $HOME/archives/20261125T104500Z")
        try archive.archiveScript.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(WALArchive.named(inScript: path) == archive)
        // The server's user can write anything there.
        for other in [
            "", "/", "/etc", "/archives/x", "etc/archives/x", "../archives/x", "/mnt/../archives/x", "/mnt/archives/..",
            "/mnt/archives/x/", "/mnt//archives/x", "/mnt/./archives/x", "/mnt/archives", "/mnt/archives/x/y",
            "/mnt\0/archives/x", "~/archives/x",
        ] {
            try "directory='\(other)'\n".write(toFile: path, atomically: false, encoding: .utf8)
            #expect(WALArchive.named(inScript: path) == nil, "\(other)")
        }
    }
}
