import Foundation
import Glibc
import Testing

@testable import LocalPostgres

extension FileTree {
    static func fileSize(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 0
    }
}

/// Tests backups and restores of a cluster whose disk and files fail.
@Suite(.serialized) struct BackupTests {
    /// A cluster with a backup, a row before a moment, and a row after it, all of it archived.
    private struct Fixture {
        let directory: TestDirectory
        let backups: BackupDirectory
        let moment: Date

        init() async throws {
            let directory = try TestDirectory()
            let backups = BackupDirectory(path: directory.path + "-backups")
            let cluster = try await directory.open { $0.throwaway = false }
            try await cluster.script("create table kept (row text); insert into kept values ('first')")
            let stored = try await cluster.backUp(to: backups, database: "test")
            // It ends at a whole second, which may be a little later.
            try await Task.sleep(for: .seconds(max(0, stored.backup.endedAt.timeIntervalSinceNow) + 0.1))
            try await cluster.script("insert into kept values ('before')")
            let seconds = try await cluster.value("select extract(epoch from clock_timestamp())")
            try await cluster.script("insert into kept values ('after')")
            for _ in 0..<3 {
                try await cluster.script("insert into kept values ('later')")
                try await cluster.server.awaitArchive(
                    try #require(cluster.server.archive), within: .seconds(60))
            }
            await cluster.close()
            self.directory = directory
            self.backups = backups
            self.moment = Date(timeIntervalSince1970: try #require(Double(seconds)))
        }

        func path(_ name: String) -> String { self.directory.path + "-" + name }

        /// Restores into a directory and returns the rows.
        func rows(
            _ name: String, to moment: Date?, progress: @escaping BackupProgress.Handler = { _ in }
        ) async throws -> String {
            let path = self.path(name)
            defer { try? FileManager.default.removeItem(atPath: path) }
            var configuration = LocalCluster.Configuration(dataDirectory: path)
            configuration.startTimeout = .seconds(60)
            _ = try await LocalCluster.restore(
                try self.backups.find(name: nil, until: moment), to: moment, configuration, replacing: false,
                logger: .silent, progress: progress, finish: { _ in })
            let restored = try await LocalCluster.open(configuration, logger: .silent)
            let rows = try await restored.value("select string_agg(row, ' ' order by ctid) from kept")
            #expect(try await restored.value("show archive_command") == "true")
            await restored.close()
            return rows
        }
    }

    @Test func `a backup is restored to a moment and to the end, and damage is never restored`() async throws {
        let fixture = try await Fixture()
        let latest = try await fixture.rows("latest", to: nil)
        #expect(latest == "first before after later later later")
        #expect(try await fixture.rows("moment", to: fixture.moment) == "first before")
        await #expect(throws: BackupError.self) {
            _ = try await fixture.rows("early", to: fixture.moment.addingTimeInterval(-3_600))
        }
        await #expect(throws: BackupError.self) {
            _ = try await fixture.rows("late", to: Date().addingTimeInterval(3_600))
        }

        // One file of the log is missing, and then damaged.
        let archive = try #require(fixture.backups.allArchives().first)
        let segment = archive.segments()[archive.segments().count - 2]
        let lost = archive.file(of: segment)
        let bytes = try Data(contentsOf: URL(filePath: lost))
        unlink(lost)
        await #expect(throws: BackupError.missingWAL([segment.name])) {
            _ = try await fixture.rows("missing", to: nil)
        }
        var damaged = bytes
        // Of the checksum: in a run of zeros, another bit can be without an effect.
        damaged[damaged.count - 6] ^= 1
        try damaged.write(to: URL(filePath: lost))
        chmod(lost, 0o644)
        let error = await #expect(throws: BackupError.self) { _ = try await fixture.rows("damaged", to: nil) }
        #expect(error?.description.contains("is damaged") == true, "\(String(describing: error))")
        try bytes.write(to: URL(filePath: lost))
        chmod(lost, 0o644)

        // One bit of a table is flipped.
        let stored = try #require(fixture.backups.backups().last)
        let files = try FileManager.default.subpathsOfDirectory(atPath: stored.data + "/base")
        let table = try #require(files.map { "\(stored.data)/base/\($0)" }.first { FileTree.fileSize($0) > 8_192 })
        var page = try Data(contentsOf: URL(filePath: table))
        page[5_000] ^= 4
        try page.write(to: URL(filePath: table))
        let refusal = await #expect(throws: BackupError.self) { _ = try await fixture.rows("flipped", to: nil) }
        #expect(refusal?.description.contains("is damaged") == true, "\(String(describing: refusal))")
    }

    @Test func `a file that is archived as the recovery ends is not missed, and one that was there before is`()
        async throws
    {
        let fixture = try await Fixture()
        let archive = try #require(fixture.backups.allArchives().first)
        // Two, because the file before them can end where the first begins.
        let late = archive.segments().suffix(2).map { archive.file(of: $0) }
        for file in late { #expect(rename(file, file + ".late") == 0) }
        // They come with PostgreSQL's last question, which is for the first of them.
        let last = try #require(archive.segments().last)
        let name = WALSegment(timeline: last.timeline, number: last.number + 1).name
        let moves = late.map { "if [ -e '\($0).late' ]; then mv '\($0).late' '\($0)'; fi" }.joined(separator: "; ")
        let script = ClusterLayout(base: fixture.path("late")).restoring.restoreScript
        let rows = try await fixture.rows("late", to: nil) { progress in
            guard progress.phase == "recovering", let text = try? String(contentsOfFile: script, encoding: .utf8) else {
                return
            }
            let changed = "if [ \"$1\" = \(name) ]; then \(moves); exit 1; fi\n" + text
            try? changed.write(toFile: script, atomically: false, encoding: .utf8)
        }
        #expect(rows.hasPrefix("first before after later"))
        #expect(late.allSatisfy { FileManager.default.fileExists(atPath: $0) })

        // PostgreSQL takes zeros for the end of the log.
        let zeros = archive.file(of: archive.segments()[archive.segments().count - 2])
        let tool = PostgresTool(directory: "/usr/bin", user: nil, workingDirectory: archive.wal)
        unlink(zeros)
        #expect(try await tool.succeeds("sh", ["-c", "head -c 16777216 /dev/zero | gzip -1 >'\(zeros)'"]))
        chmod(zeros, 0o644)
        let error = await #expect(throws: BackupError.self) { _ = try await fixture.rows("zeros", to: nil) }
        let text = error?.description ?? ""
        #expect(text.contains("which was in the archive when it began"), "\(text)")
    }

    @Test func `a restore never replaces a cluster unless it is asked to, and then keeps it`() async throws {
        let fixture = try await Fixture()
        let stored = try #require(fixture.backups.backups().last)
        var configuration = fixture.directory.configuration(throwaway: false)
        configuration.startTimeout = .seconds(60)
        func restore(replacing: Bool) async throws -> LocalCluster.Restored {
            try await LocalCluster.restore(
                stored, to: fixture.moment, configuration, replacing: replacing, logger: .silent, progress: { _ in },
                finish: { _ in })
        }
        await #expect(throws: BackupError.self) { _ = try await restore(replacing: false) }
        let cluster = try await LocalCluster.open(configuration, logger: .silent)
        await #expect(throws: BackupError.clusterInUse(directory: fixture.directory.path)) {
            _ = try await restore(replacing: true)
        }
        await cluster.close()
        let restored = try await restore(replacing: true)
        let former = try #require(restored.former)
        #expect(FileManager.default.fileExists(atPath: former + "/PG_VERSION"))
        let new = try await LocalCluster.open(configuration, logger: .silent)
        #expect(try await new.value("select count(*) from kept where row = 'later'") == "0")
        // Its first backup begins an archive of its own.
        _ = try await new.backUp(to: fixture.backups, database: "test")
        #expect(fixture.backups.allArchives().count == 2)
        await #expect(throws: BackupError.otherDatabase(directory: fixture.backups.path)) {
            _ = try await new.backUp(to: fixture.backups, database: "another")
        }
        // A backup whose record can't be read keeps what it needs.
        let record = stored.directory + "/backup.json"
        #expect(rename(record, record + ".away") == 0)
        await #expect(throws: BackupError.unreadable(record)) {
            try await fixture.backups.prune(BackupRetention(count: 1, days: nil))
        }
        #expect(fixture.backups.allArchives().count == 2)
        #expect(rename(record + ".away", record) == 0)
        #expect(try await fixture.backups.prune(BackupRetention(count: 1, days: nil)) == [stored.backup.name])
        #expect(fixture.backups.allArchives().count == 1)
        await new.close()
    }

    @Test func `a restore that waited for another into the same new directory leaves its cluster alone`() async throws {
        let fixture = try await Fixture()
        let stored = try #require(fixture.backups.backups().last)
        let path = fixture.path("twice")
        defer { try? FileManager.default.removeItem(atPath: path) }
        var configuration = LocalCluster.Configuration(dataDirectory: path)
        configuration.startTimeout = .seconds(60)
        try await withThrowingTaskGroup(of: Void.self) { [configuration] group in
            let (second, start) = AsyncStream<Void>.makeStream()
            @Sendable func restore(_ finish: @Sendable (String) async throws -> Void) async throws {
                _ = try await LocalCluster.restore(
                    stored, to: nil, configuration, replacing: false, logger: .silent, progress: { _ in },
                    finish: finish)
            }
            group.addTask {
                // If it fails before, the second must not wait forever.
                defer { start.finish() }
                try await restore { _ in
                    start.finish()
                    // Until the second waits for its turn.
                    try await Task.sleep(for: .milliseconds(500))
                }
            }
            group.addTask {
                for await _ in second {}
                await #expect(throws: BackupError.clusterExists(directory: path + "/postgres")) {
                    try await restore { _ in }
                }
            }
            try await group.waitForAll()
        }
        let entries = try FileManager.default.contentsOfDirectory(atPath: path)
        #expect(!entries.contains { $0.contains("before-restore") })
    }

    @Test func `a directory with other files is not taken for backups`() throws {
        let directory = try TestDirectory()
        let place = BackupDirectory(path: directory.path)
        try place.requireNoOtherFiles()
        for name in ["lost+found", ".snapshots", "archives"] { #expect(mkdir("\(place.path)/\(name)", 0o700) == 0) }
        try place.requireNoOtherFiles()
        #expect(mkdir(place.path + "/passwd", 0o700) == 0)
        #expect(throws: BackupError.otherFiles(directory: place.path, name: "passwd")) {
            try place.requireNoOtherFiles()
        }
    }

    @Test func `the log goes to both archives until the first backup in the new one is complete`() async throws {
        struct Failed: Error {}
        let directory = try TestDirectory()
        let places = ["a", "b"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        defer { for place in places { try? FileManager.default.removeItem(atPath: place.path) } }
        let cluster = try await directory.open { $0.throwaway = false }
        let server = cluster.server
        let limit = Duration.seconds(60)
        _ = try await cluster.backUp(to: places[0], database: "test")
        let former = try #require(server.archive)
        /// A backup that fails.
        func fail() async throws {
            let lock = try await BackupLock.take(places[1], server)
            try await server.archiving(to: places[1], within: limit) { next in
                try await server.awaitArchive(next, within: limit)
                try await server.awaitArchive(former, within: limit)
                throw Failed()
            }
            withExtendedLifetime(lock) {}
        }
        await #expect(throws: Failed.self) { try await fail() }
        #expect(server.archive == former)
        try await server.awaitArchive(former, within: limit)
        // One that is killed, and then the former disk is lost.
        let next = try #require(places[1].allArchives().first)
        try await server.useArchive(next, besides: former)
        try await server.awaitArchive(former, within: limit)
        #expect(server.archive == former)
        try FileManager.default.moveItem(atPath: places[0].path, toPath: places[0].path + "-lost")
        try await server.awaitArchive(next, within: limit)
        try FileManager.default.moveItem(atPath: places[0].path + "-lost", toPath: places[0].path)
        // One that is complete.
        let stored = try await cluster.backUp(to: places[1], database: "test")
        #expect(server.archive == stored.archive && stored.archive != former)
        #expect(try places[0].successors().map(\.path) == [places[1].path])
        await cluster.close()
    }

    @Test func `a backup directory names those that backups went to after it`() async throws {
        let directory = try TestDirectory()
        let places = ["a", "b", "c"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        defer { for place in places { try? FileManager.default.removeItem(atPath: place.path) } }
        let cluster = try await directory.open { $0.throwaway = false }
        for place in places { _ = try await cluster.backUp(to: place, database: "test") }
        func successors(_ place: BackupDirectory) throws -> [String] { try place.successors().map(\.path) }
        #expect(try successors(places[0]) == [places[1].path, places[2].path])
        #expect(try successors(places[2]) == [])
        _ = try await cluster.backUp(to: places[1], database: "test")
        #expect(try successors(places[0]) == [places[1].path])
        #expect(try successors(places[1]) == [])
        #expect(try successors(places[2]) == [places[1].path])
        await cluster.close()
        try FileManager.default.removeItem(atPath: places[1].path)
        #expect(throws: BackupError.noSuccessor(directory: places[0].path, successor: places[1].path)) {
            _ = try places[0].successors()
        }
    }

    @Test func `a backup is noted in earlier directories again if they don't lead to it any more`() async throws {
        let directory = try TestDirectory()
        let places = ["a", "b", "c"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        defer { for place in places { try? FileManager.default.removeItem(atPath: place.path) } }
        let cluster = try await directory.open { $0.throwaway = false }
        for place in places.prefix(2) { _ = try await cluster.backUp(to: place, database: "test") }
        func moved() throws -> String { try String(contentsOfFile: places[0].path + "/moved", encoding: .utf8) }
        // The second one is lost before it says that backups went on.
        try FileManager.default.removeItem(atPath: places[1].path)
        _ = try await cluster.backUp(to: places[2], database: "test")
        #expect(try moved() == "\(places[1].path)\n\(places[2].path)\n")
        // A restored copy, or somebody, removes the line.
        try FileManager.default.removeItem(atPath: places[0].path + "/moved")
        _ = try await cluster.backUp(to: places[2], database: "test")
        #expect(try places[0].successors().map(\.path) == [places[2].path])
        await cluster.close()
    }

    @Test func `a backup directory names the next one before the log, and what is erased then, goes only there`()
        async throws
    {
        struct Failed: Error {}
        let directory = try TestDirectory()
        let places = ["a", "b"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        defer { for place in places { try? FileManager.default.removeItem(atPath: place.path) } }
        let cluster = try await directory.open { $0.throwaway = false }
        let server = cluster.server
        _ = try await cluster.backUp(to: places[0], database: "test")
        let former = try #require(server.archive)
        func successors() throws -> [String] { try places[0].successors().map(\.path) }
        // While the list of erased devices can't be written, the log stays where the list is.
        await #expect(throws: Failed.self) {
            _ = try await cluster.backUp(to: places[1], database: "test", beforeMoving: { throw Failed() })
        }
        #expect(server.archive == former)
        #expect(try successors() == [])
        #expect(places[1].backups().count == 1)
        // The command ends while it changes where the log goes.
        let script = server.layout.archiveScript + WALArchive.formerSuffix
        await #expect(throws: LocalClusterError.self) {
            _ = try await cluster.backUp(
                to: places[1], database: "test",
                beforeMoving: {
                    unlink(script)
                    mkdir(script, 0o700)
                })
        }
        #expect(server.archive == former)
        #expect(try successors() == [places[1].path])
        rmdir(script)
        let stored = try await cluster.backUp(to: places[1], database: "test")
        #expect(server.archive == stored.archive)
        #expect(try successors() == [places[1].path])
        await cluster.close()
    }

    /// Restores the newest backup of a directory as a cluster beside that of the test.
    private func restored(
        _ name: String, of directory: TestDirectory, from backups: BackupDirectory,
        knowing others: [BackupDirectory] = []
    ) async throws -> LocalCluster {
        var configuration = LocalCluster.Configuration(dataDirectory: "\(directory.path)-\(name)")
        configuration.startTimeout = .seconds(60)
        _ = try await LocalCluster.restore(
            try backups.find(name: nil, until: nil), to: nil, configuration, replacing: false, knowing: others,
            logger: .silent, progress: { _ in }, finish: { _ in })
        return try await LocalCluster.open(configuration, logger: .silent)
    }

    private func paths(_ directories: [BackupDirectory]) -> [String] { directories.map(\.path) }

    @Test func `the first backup of a restored cluster is noted in the directories that it comes from`() async throws {
        let directory = try TestDirectory()
        let places = ["a", "b", "c"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        let cluster = try await directory.open { $0.throwaway = false }
        _ = try await cluster.backUp(to: places[0], database: "test")
        await cluster.close()
        // Until then, it keeps the list of erased devices where it was restored from.
        let first = try await restored("first", of: directory, from: places[0])
        #expect(paths(first.listedDirectories) == [places[0].path])
        #expect(LocalCluster.detected(first.server.configuration)?.unnoted == [places[0].path])
        _ = try await first.backUp(
            to: places[1], database: "test",
            beforeMoving: {
                // The log goes there already, but there is no other list that is complete.
                #expect(first.listedDirectories.map(\.path) == [places[1].path, places[0].path])
                let successors = try? places[0].successors()
                #expect(successors?.isEmpty == true)
            })
        #expect(paths(first.listedDirectories) == [places[1].path])
        #expect(try paths(places[0].successors()) == [places[1].path])
        await first.close()
        // Restored once more, and again from what backups went on after.
        let second = try await restored("second", of: directory, from: places[1])
        _ = try await second.backUp(to: places[2], database: "test")
        #expect(try paths(places[0].successors()) == [places[1].path, places[2].path])
        await second.close()
        let third = try await restored("third", of: directory, from: places[0])
        #expect(Set(paths(third.listedDirectories)) == Set(paths(places)))
        _ = try await third.backUp(to: places[0], database: "test")
        #expect(try paths(places[0].successors()) == [])
        for place in places.dropFirst() {
            #expect(try place.successors().map(\.path).contains(places[0].path), "\(place.path)")
        }
        await third.close()
    }

    @Test func `a former directory that is not there is noted by a later backup, unless it is given up`() async throws {
        let directory = try TestDirectory()
        let places = ["a", "b"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        let cluster = try await directory.open { $0.throwaway = false }
        _ = try await cluster.backUp(to: places[0], database: "test")
        await cluster.close()
        let new = try await restored("new", of: directory, from: places[0])
        func unnoted() -> [String]? {
            LocalCluster.detected(new.server.configuration)?.unnoted.filter { $0 != places[1].path }
        }
        // The disk is not mounted. Nothing must be written to the directory where it would be.
        let away = places[0].path + "-away"
        try FileManager.default.moveItem(atPath: places[0].path, toPath: away)
        try FileManager.default.createDirectory(atPath: places[0].path, withIntermediateDirectories: false)
        _ = try await new.backUp(to: places[1], database: "test")
        #expect(try FileManager.default.contentsOfDirectory(atPath: places[0].path).isEmpty)
        #expect(unnoted() == [places[0].path])
        try FileManager.default.removeItem(atPath: places[0].path)
        try FileManager.default.moveItem(atPath: away, toPath: places[0].path)
        _ = try await new.backUp(to: places[1], database: "test")
        #expect(try paths(places[0].successors()) == [places[1].path])
        #expect(unnoted() == [])
        #expect(throws: BackupError.notFormer(directory: places[1].path, unnoted: [])) { try new.forget(places[1]) }
        await new.close()

        // A cluster that was restored from both, of which one is lost.
        let other = try await restored("other", of: directory, from: places[1], knowing: [places[0]])
        try FileManager.default.removeItem(atPath: places[0].path)
        _ = try await other.backUp(to: places[1], database: "test")
        #expect(throws: BackupError.notFormer(directory: directory.path, unnoted: [places[0].path])) {
            try other.forget(BackupDirectory(path: directory.path))
        }
        try other.forget(places[0])
        #expect(LocalCluster.detected(other.server.configuration)?.unnoted == [places[1].path])
        await other.close()
    }

    @Test func `a backup keeps the note of where a restored copy of the cluster is backed up`() async throws {
        let directory = try TestDirectory()
        let places = ["a", "b"].map { BackupDirectory(path: "\(directory.path)-\($0)") }
        let cluster = try await directory.open { $0.throwaway = false }
        _ = try await cluster.backUp(to: places[0], database: "test")
        let copy = try await restored("copy", of: directory, from: places[0])
        _ = try await copy.backUp(to: places[1], database: "test")
        await copy.close()
        _ = try await cluster.backUp(to: places[0], database: "test")
        #expect(try paths(places[0].successors()) == [places[1].path])
        #expect(try paths(places[1].successors()) == [])
        await cluster.close()
    }

    @Test func `the archive takes an equal file again, refuses another, and survives a full disk`() async throws {
        let directory = try TestDirectory()
        let archive = WALArchive(path: directory.path + "/archive")
        try FileManager.default.createDirectory(atPath: archive.wal, withIntermediateDirectories: true)
        let script = directory.path + "/script"
        try archive.archiveScript.write(toFile: script, atomically: false, encoding: .utf8)
        let tool = PostgresTool(directory: "/usr/bin", user: nil, workingDirectory: directory.path)
        try Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 5) }).write(
            to: URL(filePath: directory.path + "/one"))
        try Data("two".utf8).write(to: URL(filePath: directory.path + "/two"))
        func keep(_ file: String, limit: String = "unlimited") async throws -> Bool {
            try await tool.succeeds("sh", ["-c", "ulimit -f \(limit); sh script \(file) 000000010000000000000001"])
        }
        // The limit of a file's size stands for the full disk: no partial file gets the name.
        #expect(try await !keep("one", limit: "1"))
        #expect(archive.segments().isEmpty)
        #expect(try await keep("one"))
        #expect(try await keep("one"))
        #expect(try await !keep("two"))
        #expect(archive.segments().map(\.number) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: archive.wal).count == 1)
    }

    @Test func `a backup directory whose name can't be in a line or in a shell's quotation marks is refused`()
        async throws
    {
        let directory = try TestDirectory()
        let cluster = try await directory.open { $0.throwaway = false }
        for (end, error) in [
            ("\n", BackupError.lineBreak), ("\"", BackupError.shellCharacter), ("$HOME", BackupError.shellCharacter),
            ("`x`", BackupError.shellCharacter),
        ] {
            let path = directory.path + "-backups" + end
            await #expect(throws: error(path)) {
                _ = try await cluster.backUp(to: BackupDirectory(path: path), database: "test")
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        // It would have been taken for damaged after the copy.
        _ = try await cluster.backUp(to: BackupDirectory(path: directory.path + #"-a b'c\%p"#), database: "test")
        await cluster.close()
    }

    @Test func `a full disk of the backups stops the backup, and not the cluster`() async throws {
        guard geteuid() == 0 else { return print("SKIPPED: only root can mount a small file system") }
        let directory = try TestDirectory()
        let disk = directory.path + "-disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=40m,mode=755") == 0 else {
            return print("SKIPPED: no file system can be mounted here")
        }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let backups = BackupDirectory(path: disk + "/backups")
        let cluster = try await directory.open { $0.throwaway = false }
        await #expect(throws: BackupError.self) { _ = try await cluster.backUp(to: backups, database: "test") }
        #expect(backups.backups().isEmpty)
        #expect(try await cluster.value("select 1") == "1")
        await cluster.close()
    }
}
