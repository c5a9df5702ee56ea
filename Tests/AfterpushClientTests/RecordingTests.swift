import Foundation
import Glibc
import Testing

@testable import AfterpushClient

/// Tests recording while the process is killed, the disk is full or read-only, and time passes.
@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
    private static let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_FAULTS"] == "long"

    @Test func `a process that is killed loses no event whose record call had returned`() async throws {
        let directory = try TestDirectory()
        var ids: Set<UUID> = []
        for _ in 0..<(Self.isLong ? 100 : 5) {
            let hasNone = ids.isEmpty
            let recorded = try await RecorderProcess.run(in: directory, seconds: 60) { recorder in
                // Some are killed before their first event, some in the middle of one, but at least one has recorded
                // something.
                if hasNone { try await recorder.waitUntilRecorded(1) }
                try await Task.sleep(for: .milliseconds(Int.random(in: 30...400)))
            }
            ids.formUnion(recorded)
        }
        #expect(!ids.isEmpty)
        for segment in directory.location.segments() {
            let bytes = try #require(FileManager.default.contents(atPath: directory.location.events(segment)))
            #expect(!SegmentScan(Array(bytes)).isDamaged)
        }
        let transport = ScriptedTransport()
        #expect(await AfterpushClient(directory.configuration(), transport: transport).flush() == .completed)
        #expect(ids.isSubset(of: transport.acknowledged))
        #expect(transport.acknowledged.count == Set(transport.acknowledged).count)
    }

    @Test func `recording on a full disk throws an error and has no other effect`() async throws {
        try await Self.withSmallDisk { directory in
            let transport = ScriptedTransport()
            // Sending needs space for a moment, too, to note what is stored: it runs only when the test asks for it.
            let client = AfterpushClient(directory.configuration { $0.delay = .infinity }, transport: transport)
            var ids = [try await client.record(.appOpened)]
            while let id = try? await client.record(.appOpened) { ids.append(id) }
            for _ in 0..<3 { await #expect(throws: RecordError.diskFull) { try await client.record(.appOpened) } }
            #expect(throws: RecordError.diskFull) { try client.recordSynchronously(.appOpened) }
            // No recorded event is lost, sending frees space, and recording works again.
            #expect(await client.flush() == .completed)
            ids.append(try await client.record(.appOpened))
            #expect(await client.flush() == .completed)
            #expect(transport.acknowledged.count == ids.count)
            #expect(Set(transport.acknowledged) == Set(ids.compactMap(\.self)))
        }
    }

    @Test func `recording on a read-only disk throws an error and has no other effect`() async throws {
        try await Self.withSmallDisk { directory in
            let id = try await AfterpushClient(directory.configuration(), transport: ScriptedTransport())
                .record(.appOpened)
            // The disk can't be remounted while the client's file is open; the last block closes it.
            var tries = 0
            while mount("tmpfs", directory.url.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") != 0, tries < 500 {
                tries += 1
                try await Task.sleep(for: .milliseconds(10))
            }
            let transport = ScriptedTransport()
            let client = AfterpushClient(directory.configuration(), transport: transport)
            for _ in 0..<3 {
                await #expect(throws: RecordError.notWritable(code: EROFS)) { try await client.record(.appOpened) }
            }
            #expect(await client.flush() == .completed)
            #expect(transport.acknowledged == [id].compactMap(\.self))
            #expect(mount("tmpfs", directory.url.path, "tmpfs", UInt(MS_REMOUNT), "size=64k") == 0)
            #expect(try await client.record(.appOpened) != nil)
        }
    }

    @Test func `opting out frees space on a disk that has no space for another file`() async throws {
        try await Self.withSmallDisk("nr_inodes=20") { directory in
            let client = AfterpushClient(directory.configuration(), transport: ScriptedTransport())
            try await client.record(.appOpened)
            // Another process has the queue's only file open, so that removing the name does not free the space.
            let segment = try #require(directory.location.segments().first)
            let open = try OpenFile(directory.location.events(segment), O_RDONLY)
            let others = (0..<20).map { directory.url.appendingPathComponent("\($0)") }
            for other in others { try? Data().write(to: other) }
            try await client.optOut()
            #expect(client.isOptedOut && directory.location.segments().isEmpty)
            #expect(try open.state().size == 0)
            #expect(try await client.record(.appOpened) == nil)
            for other in others { try? FileManager.default.removeItem(at: other) }
            try await client.optIn()
            #expect(try await client.record(.appOpened) != nil)
        }
    }

    @Test func `recording does not wait for the disk`() async throws {
        let directory = try TestDirectory()
        let client = AfterpushClient(directory.configuration(), transport: ScriptedTransport())
        try await client.record(.appOpened)
        let segment = try #require(directory.location.segments().first)
        let file = try OpenFile(directory.location.events(segment), O_RDWR)
        try file.lock()
        let done = Locked(0)
        // Nothing can be written while the file is locked: a call that waited would wait forever.
        client.record(.appOpened) { _ in done.withLock { $0 += 1 } }
        client.recordUnlessForwarded(.opened(Sample.notification)) { done.withLock { $0 += 1 } }
        #expect(done.withLock { $0 } == 0)
        file.unlock()
        for _ in 0..<2_000 where done.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(10)) }
        #expect(done.withLock { $0 } == 2)
    }

    private static func withSmallDisk(
        _ bound: String = "size=64k", _ body: (TestDirectory) async throws -> Void
    ) async throws {
        let directory = try TestDirectory()
        guard geteuid() == 0, mount("tmpfs", directory.url.path, "tmpfs", 0, bound) == 0 else {
            print("SKIPPED: a disk that is full or read-only: only root can mount a small file system")
            return
        }
        defer { umount2(directory.url.path, Int32(MNT_DETACH)) }
        try await body(directory)
    }

    @Test func `recording throws an error if the directory can't be created`() async throws {
        let directory = try TestDirectory()
        let file = directory.url.appendingPathComponent("file")
        try Data().write(to: file)
        let client = AfterpushClient(
            directory.configuration { $0.directory = file }, transport: ScriptedTransport())
        await #expect(throws: RecordError.notWritable(code: ENOTDIR)) { try await client.record(.appOpened) }
        #expect(await client.flush() == .completed)
    }

    @Test func `recording an event takes little time`() async throws {
        let directory = try TestDirectory()
        let client = AfterpushClient(directory.configuration(), transport: NoTransport())
        let count = Self.isLong ? 10_000 : 1_000
        var times: [Duration] = []
        for _ in 0..<count {
            let start = ContinuousClock.now
            try client.recordSynchronously(.action("book", Sample.notification))
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        let (median, p99) = (times[count / 2], times[count * 99 / 100])
        print("record: \(count) events, p50 \(median), p99 \(p99), longest \(times[count - 1])")
        // The limit is generous, because other tests use the same disk.
        #expect(median < .milliseconds(100))
    }

    @Test func `memory use does not grow with the number of recorded events`() async throws {
        let directory = try TestDirectory()
        _ = try await RecorderProcess.run(in: directory, seconds: 120) { process in
            try await process.waitUntilRecorded(500)
            let before = process.residentKiB
            try await process.waitUntilRecorded(Self.isLong ? 20_000 : 2_000)
            let growth = process.residentKiB - before
            print("record: memory \(before) KiB, grew by \(growth) KiB")
            #expect(growth < 2_048)
        }
    }

    private struct NoTransport: EventTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            throw ScriptedTransport.NoResponse()
        }
    }
}
