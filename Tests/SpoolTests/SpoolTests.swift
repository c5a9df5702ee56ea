import AfterpushWire
import Events
import Foundation
import Glibc
import Ingest
import Testing

@testable import Spool

/// Tests the content, order and limits of the spool.
@Suite struct SpoolTests {
    private let directory: SpoolDirectory

    init() throws {
        directory = try SpoolDirectory()
    }

    @Test func `entries survive a restart in the order in which they were added`() async throws {
        try await directory.once { spool in
            let outcomes = try await spool.add(try SpoolSample.group(["b", "", "a"]))
            #expect(outcomes.map(\.accepted) == [1, 0, 1])
            #expect(outcomes.map(\.rejections.count) == [0, 1, 0])
            #expect(outcomes.allSatisfy { $0.durability == .spooled })
            _ = try await spool.add(try SpoolSample.group(["c"]))
            #expect(await spool.status.counts.spooled == 3)
        }
        try await directory.once { spool in
            let entries = try await spool.oldest(100, events: 100)
            #expect(SpoolSample.names(entries) == ["b", "a", "c"])
            #expect(entries.map(\.entry.rejections.count) == [0, 1, 0, 0])
            let status = await spool.status
            #expect(status.entries == 4 && status.events == 3)
            #expect(status.oldest?.microseconds == 1_795_255_200_000_000)
            #expect(status.counts == SpoolCounts(found: 3))
            // An intact file is opened without a search.
            let files = try directory.names
            #expect(files == ["spool-0-0.lock", "spool-0-0.sqlite", "spool-0-0.sqlite-journal"])
        }
    }

    @Test func `only entries that PostgreSQL committed are removed`() async throws {
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group(["a", "b", "c"]))
            let first = try await spool.oldest(2, events: 100)
            try await spool.remove(first, outcomes: SpoolSample.stored(first))
            #expect(SpoolSample.names(try await spool.oldest(100, events: 100)) == ["c"])
            #expect(await spool.status.counts == SpoolCounts(spooled: 3, stored: 2))
        }
        try await directory.once { spool in
            let left = SpoolSample.names(try await spool.oldest(100, events: 100))
            #expect(left == ["c"])
        }
    }

    @Test func `the spool returns as many entries as fit in a group`() async throws {
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group((0..<20).map { "n\($0)" }))
            #expect(try await spool.oldest(100, events: 7).count == 7)
            #expect(try await spool.oldest(3, events: 7).count == 3)
            #expect(try await spool.oldest(3, events: 0).count == 1)
        }
    }

    @Test func `a spool over its capacity accepts nothing, and drained entries make room`() async throws {
        let spool = try await directory.open { $0.capacity = 1 << 20 }
        var taken = 0
        await #expect(throws: SpoolError.full) {
            while taken < 100 {
                _ = try await spool.add(try SpoolSample.group(["n\(taken)"], filler: 20_000))
                taken += 1
            }
        }
        #expect((5..<60).contains(taken))
        let size = try #require(
            try FileManager.default.attributesOfItem(atPath: directory.file)[.size] as? Int)
        #expect(size <= 1 << 20)
        // The spool has as many entries as it acknowledged.
        let entries = try await spool.oldest(1_000, events: 1_000)
        #expect(entries.count == taken)
        try await spool.remove(entries, outcomes: SpoolSample.stored(entries))
        #expect(await spool.canTake)
        _ = try await spool.add(try SpoolSample.group(["again"], filler: 20_000))
    }

    @Test(arguments: [0, 1_500, 20_000, 30_000])
    func `how much of the spool a request takes is known`(filler: Int) async throws {
        try await directory.once { spool in
            let group = try SpoolSample.group((0..<16).map { "n\($0)" }, filler: filler)
            let expected = group.pending.reduce(0) { $0 + Spool.size(of: $1) }
            let groups = max(2, (2 << 20) / expected)
            for _ in 0..<groups { _ = try await spool.add(group) }
            let share = Double(await spool.status.bytes) / Double(groups * expected)
            // The tables themselves take a few pages.
            #expect((0.95...1.25).contains(share), "\(share)")
        }
    }

    @Test func `the spool leaves the margin of the disk free`() async throws {
        let spool = try await directory.open { $0.freeMargin = 1 << 60 }
        await #expect(throws: SpoolError.full) { try await spool.add(try SpoolSample.group(["a"])) }
        #expect(await !spool.canTake)
    }

    @Test func `only the owner can access the spool's files`() async throws {
        rmdir(directory.path)
        let spool = try await directory.open()
        _ = try await spool.add(try SpoolSample.group(["a"]))
        for name in try directory.names {
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: directory.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test func `a directory that other users can access is refused`() async throws {
        chmod(directory.path, 0o755)
        await #expect(throws: SpoolError.self) { try await directory.open() }
        chmod(directory.path, 0o700)
        let link = directory.path + "/link"
        symlink(directory.path, link)
        await #expect(throws: SpoolError.self) { try await directory.open { $0.directory = link } }
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
    func `a directory that other users can replace is refused, and not made`() async throws {
        let inner = directory.path + "/above/spool"
        #expect(mkdir(directory.path + "/above", 0o755) == 0)
        for exists in [false, true] {
            if exists { #expect(mkdir(inner, 0o700) == 0) }
            for (owner, mode) in [(65_534, 0o755), (0, 0o777)] as [(uid_t, mode_t)] {
                #expect(chown(directory.path + "/above", owner, 0) == 0 && chmod(directory.path + "/above", mode) == 0)
                await #expect(throws: SpoolError.self) { try await directory.open { $0.directory = inner } }
            }
            #expect(FileManager.default.fileExists(atPath: inner) == exists)
        }
        #expect(chmod(directory.path + "/above", 0o755) == 0)
        await (try directory.open { $0.directory = inner }).close()
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["pipe", "link", "directory"])
    func `something else than a file is refused at each name, and nothing waits for it`(kind: String) async throws {
        try await directory.once { _ = try await $0.add(try SpoolSample.group(["kept"])) }
        for name in ["", "-journal", "-wal", "-shm"] {
            let path = directory.file + name
            if name.isEmpty { #expect(rename(path, directory.path + "/aside") == 0) } else { unlink(path) }
            switch kind {
            case "pipe": #expect(mkfifo(path, 0o600) == 0)
            case "link": #expect(symlink(directory.path + "/aside", path) == 0)
            default: #expect(mkdir(path, 0o700) == 0)
            }
            #expect(throws: SpoolContents.Unreadable.self, "\(name)") {
                try SpoolContents(directory: directory.path)
            }
            try await directory.once { spool in
                await #expect(throws: SpoolError.self, "\(name)") { try await spool.add(SpoolSample.group(["a"])) }
            }
            try FileManager.default.removeItem(atPath: path)
            if name.isEmpty { #expect(rename(directory.path + "/aside", path) == 0) }
        }
        #expect(try SpoolContents(directory: directory.path)?.events == 1)
        // What a damaged file left, and the lock.
        for name in [".damaged-1", ".lock"] {
            let path = directory.path + "/spool-0-0" + name
            unlink(path)
            switch kind {
            case "pipe": #expect(mkfifo(path, 0o600) == 0)
            case "link": #expect(symlink(directory.file, path) == 0)
            default: #expect(mkdir(path, 0o700) == 0)
            }
            if name == ".lock" {
                await #expect(throws: SpoolError.self) { try await directory.open() }
            } else {
                try await directory.once { spool in
                    await #expect(throws: SpoolError.self) { try await spool.add(SpoolSample.group(["a"])) }
                }
            }
            try FileManager.default.removeItem(atPath: path)
        }
        try await directory.once { #expect(await $0.status.events == 1) }
    }

    @Test
    func `two collectors that share a directory have separate files, and one adopts the file that the other leaves`()
        async throws
    {
        let one = try await directory.open()
        var identity = ""
        try await directory.once { other in
            _ = try await other.add(try SpoolSample.group(["left", ""]))
            // It is still running, so its entries are its own.
            try await one.adoptLeftEntries()
            #expect(await one.status.entries == 0)
            #expect(await one.emptiedSlots.isEmpty)
            identity = other.identity
        }
        _ = try await one.add(try SpoolSample.group(["mine"]))
        try await one.adoptLeftEntries()
        #expect(SpoolSample.names(try await one.oldest(100, events: 100)) == ["mine", "left"])
        #expect(await one.emptiedSlots.map(\.identity) == [identity])
        #expect(await one.status.counts == SpoolCounts(found: 1, spooled: 1))
        try await one.adoptLeftEntries()
        #expect(await one.status.entries == 3)
    }

    /// A store that records the reports, and whether another collector could take the slot whose status is closed.
    private actor StatusStore: SpoolStatusStore {
        private let directory: String
        private(set) var reports: [Int] = []
        private(set) var closed: [String] = []
        private(set) var couldBeTaken = false

        init(_ directory: String) {
            self.directory = directory
        }

        func put(_ spool: String, events: Int, oldest: AfterpushWire.Timestamp?, isClosed: Bool) {
            reports.append(events)
        }

        func close(_ spools: [String]) {
            closed += spools
            let slot = try? SpoolFileLock.takeLeft(1, in: directory, owner: "0")
            couldBeTaken = couldBeTaken || slot != nil
        }
    }

    @Test func `the status of a slot is closed once, after its entries were reported and while it can't be used`()
        async throws
    {
        let spool = try await directory.open()
        let identity = try await directory.once { left in
            _ = try await left.add(try SpoolSample.group(["left"]))
            return left.identity
        }
        try await spool.adoptLeftEntries()
        let store = StatusStore(directory.path)
        let reporter = SpoolReporter(
            spool, store: store, breaker: CircuitBreaker(logger: SpoolSample.logger), logger: SpoolSample.logger)
        let running = Task { try await reporter.run() }
        defer { running.cancel() }
        while await store.closed.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(await store.reports == [1])
        // The next report closes nothing.
        _ = try await spool.add(try SpoolSample.group(["mine"]))
        while await store.reports.last != 2 { try await Task.sleep(for: .milliseconds(10)) }
        running.cancel()
        _ = try? await running.value
        #expect(await store.closed == [identity])
        #expect(await store.couldBeTaken == false)
        #expect(try SpoolFileLock.takeLeft(1, in: directory.path, owner: "0") != nil)
    }

    @Test func `a spool keeps its identity under another path, and another one of the same path has another`()
        async throws
    {
        let first = try await directory.once { $0.identity }
        #expect(try await directory.once { $0.identity } == first)
        // As if the volume of a container belonged to another one now, whose host name is another, too.
        let moved = directory.path + "-moved"
        try FileManager.default.moveItem(atPath: directory.path, toPath: moved)
        let spool = try await directory.open { $0.directory = moved }
        let second = spool.identity
        await spool.close()
        try FileManager.default.moveItem(atPath: moved, toPath: directory.path)
        #expect(second == first)
        #expect(UUID(uuidString: first) != nil, "it does not contain the host name")
        unlink(directory.path + "/spool-0-0.lock")
        #expect(try await directory.once { $0.identity } != first)
    }

    @Test func `a damaged mark is replaced, so that two spools with the same damage have different identities`()
        async throws
    {
        let first = try await directory.once { $0.identity }
        // As if the power had failed before the mark was on the disk.
        try Data(count: first.utf8.count).write(to: URL(filePath: directory.path + "/spool-0-0.lock"))
        let second = try await directory.once { $0.identity }
        #expect(second != first && UUID(uuidString: second) != nil)
        #expect(try await directory.once { $0.identity } == second)
    }

    @Test func `retention waits for entries that were set aside, can be tried again and are not older than a day`()
        async throws
    {
        for (age, isRetried, awaited) in [(0, true, 1), (0, false, 0), (25, true, 0)] {
            let directory = try SpoolDirectory()
            try await directory.once { spool in
                let received = Date(timeIntervalSinceNow: -Double(age) * 3_600)
                _ = try await spool.add(try SpoolSample.group(["a"], receivedAt: received))
                let entry = try await spool.oldest(1, events: 1)[0]
                try await spool.setAside(entry.id, events: 1, reason: "refused", isRetried: isRetried)
                #expect(await spool.awaitedSetAsideEvents == awaited, "\(age) \(isRetried)")
            }
            #expect(try SpoolContents(directory: directory.path)?.awaitedSetAsideEvents == awaited)
        }
    }

    @Test func `the number of events that retention waits for follows each change of the entries`() async throws {
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group(["a", "b"], receivedAt: Date()))
            for (place, entry) in try await spool.oldest(2, events: 2).enumerated() {
                try await spool.setAside(entry.id, events: 1, reason: "refused", isRetried: true)
                #expect(await spool.awaitedSetAsideEvents == place + 1)
                #expect(await spool.awaitedSetAsideEvents == place + 1, "it is not read again")
            }
            try await spool.retrySetAside()
            #expect(await spool.awaitedSetAsideEvents == 0)
            let entry = try await spool.oldest(1, events: 1)[0]
            try await spool.setAside(entry.id, events: 1, reason: "refused", isRetried: true)
            #expect(await spool.awaitedSetAsideEvents == 1)
        }
    }

    @Test func `an entry that was set aside is awaited until a day after it arrived`() {
        let entries = [(0, 2), (3_600, 3)].map { seconds, events in
            SpoolTransaction.AwaitedEntry(
                receivedAt: AfterpushWire.Timestamp(microseconds: Int64(seconds) * 1_000_000), events: events)
        }
        for (seconds, events) in [(86_399, 5), (86_400, 3), (90_000, 0)] {
            #expect(entries.events(at: AfterpushWire.Timestamp(microseconds: Int64(seconds) * 1_000_000)) == events)
        }
    }

    @Test func `entries of another database are not touched`() async throws {
        try await directory.once { _ = try await $0.add(try SpoolSample.group(["a"])) }
        let other = try await directory.open { $0.owner = "1" }
        try await other.adoptLeftEntries()
        #expect(await other.status.entries == 0)
        #expect(try await directory.once { await $0.status.entries } == 1)
    }

    @Test func `an entry that is set aside does not block others, and is retried after a restart`() async throws {
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group(["poison", "b"]))
            let first = try await spool.oldest(1, events: 1)[0]
            try await spool.setAside(first.id, events: 1, reason: "refused", isRetried: true)
            #expect(SpoolSample.names(try await spool.oldest(100, events: 100)) == ["b"])
            let status = await spool.status
            #expect(status.setAsideEntries == 1 && status.setAsideEvents == 1 && status.events == 1)
            #expect(status.counts == SpoolCounts(spooled: 2, setAside: 1))
        }
        try await directory.once { spool in
            let names = SpoolSample.names(try await spool.oldest(100, events: 100))
            #expect(names == ["b", "poison"])
            #expect(await spool.status.setAsideEntries == 0)
        }
    }

    @Test func `a drained file frees its disk space`() async throws {
        let spool = try await directory.open()
        for _ in 0..<10 { _ = try await spool.add(try SpoolSample.group((0..<50).map { "n\($0)" }, filler: 12_000)) }
        func size() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: directory.file)[.size] as? Int)
        }
        #expect(try size() > 6 << 20)
        while case let entries = try await spool.oldest(100, events: 100), !entries.isEmpty {
            try await spool.remove(entries, outcomes: SpoolSample.stored(entries))
        }
        #expect(try size() < 1 << 20)
        _ = try await spool.add(try SpoolSample.group(["after"]))
    }

    @Test func `erasing a device removes its events from entries that were set aside`() async throws {
        let directory = try SpoolDirectory()
        var devices = SuppressionList()
        let key = DeviceKey([1, 2, 3])
        devices.add(key.hash(of: "other"), by: key, app: 7)
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group(["unmistakable"]))
            let first = try #require(try await spool.oldest(1, events: 1).first)
            try await spool.setAside(first.id, events: 1, reason: "refused", isRetried: true)
            try await spool.erase(devices)
            #expect(await spool.status.setAsideEvents == 1)
        }
        let canary = Data("unmistakable".utf8)
        #expect(try Data(contentsOf: URL(filePath: directory.file)).range(of: canary) != nil)
        devices.add(key.hash(of: "d"), by: key, app: 7)
        devices.add(key.hash(of: "d"), by: key, app: 8)
        // The entry is retried at the start, so it is set aside again.
        try await directory.once { [devices] spool in
            let first = try #require(try await spool.oldest(1, events: 1).first)
            try await spool.setAside(first.id, events: 1, reason: "refused", isRetried: true)
            try await spool.erase(devices)
            let status = await spool.status
            #expect(status.setAsideEntries == 1 && status.setAsideEvents == 0)
            #expect(status.counts == SpoolCounts(found: 1, rejected: 1))
        }
        #expect(try Data(contentsOf: URL(filePath: directory.file)).range(of: canary) == nil)
    }

    @Test func `a left spool loses an erased device's events when its neighbour takes over`() async throws {
        let directory = try SpoolDirectory()
        let running = try await directory.open()
        let left = try await directory.open()
        _ = try await left.add(try SpoolSample.group(["unmistakable"]))
        let first = try #require(try await left.oldest(1, events: 1).first)
        try await left.setAside(first.id, events: 1, reason: "unreadable", isRetried: false)
        await left.close()
        var devices = SuppressionList()
        let key = DeviceKey([1, 2, 3])
        devices.add(key.hash(of: "d"), by: key, app: 7)
        try await running.adoptLeftEntries(erasing: devices)
        await running.close()
        let file = try Data(contentsOf: URL(filePath: directory.path + "/spool-0-1.sqlite"))
        #expect(file.range(of: Data("unmistakable".utf8)) == nil)
    }

    @Test func `damaged entries and files are deleted after their time`() async throws {
        let directory = try SpoolDirectory()
        let aside = directory.path + "/spool-0-0.aside-1"
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group(["a", "b"]))
            for entry in try await spool.oldest(2, events: 2) {
                try await spool.setAside(entry.id, events: 1, reason: "test", isRetried: entry.id == 1)
            }
            try Data().write(to: URL(filePath: aside))
            try await spool.removeRemains()
            #expect(await spool.status.setAsideEntries == 2)
            #expect(FileManager.default.fileExists(atPath: aside))
            try await spool.removeRemains(olderThan: .zero)
            #expect(await spool.status.setAsideEntries == 1, "what PostgreSQL refused is retried")
            #expect(!FileManager.default.fileExists(atPath: aside))
        }
    }
}
