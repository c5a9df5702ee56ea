import Foundation
import Glibc
import Testing

@testable import AfterpushClient

/// What holds of recording, whatever happens to the process, the disk and time.
@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
    private static let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_FAULTS"] == "long"

    @Test func `a process that is killed loses nothing that was returned for`() async throws {
        let directory = try TestDirectory()
        var ids: Set<UUID> = []
        for _ in 0..<(Self.isLong ? 100 : 5) {
            let process = try RecorderProcess(directory, seconds: 60)
            // Some are killed before their first event, some in the middle of one.
            try await Task.sleep(for: .milliseconds(Int.random(in: 30...400)))
            ids.formUnion(process.kill())
        }
        #expect(!ids.isEmpty)
        for segment in directory.place.segments() {
            let bytes = try #require(FileManager.default.contents(atPath: directory.place.events(segment)))
            #expect(!SegmentScan(Array(bytes)).isDamaged)
        }
        let transport = ScriptedTransport()
        #expect(await AfterpushClient(directory.configuration(), transport: transport).flush() == .delivered)
        #expect(ids.isSubset(of: transport.taken))
        #expect(transport.taken.count == Set(transport.taken).count)
    }

    @Test func `a full disk is told, and nothing else happens`() async throws {
        try await Self.withSmallDisk { directory in
            let transport = ScriptedTransport()
            let client = AfterpushClient(directory.configuration(), transport: transport)
            var ids = [try await client.record(.appOpened)]
            while let id = try? await client.record(.appOpened) { ids.append(id) }
            for _ in 0..<3 { await #expect(throws: RecordError.diskFull) { try await client.record(.appOpened) } }
            #expect(throws: RecordError.diskFull) { try client.recordHere(.appOpened) }
            // Nothing that was recorded is lost by it, sending makes room, and there is a next time.
            #expect(await client.flush() == .delivered)
            ids.append(try await client.record(.appOpened))
            #expect(await client.flush() == .delivered)
            #expect(transport.taken.count == ids.count && Set(transport.taken) == Set(ids.compactMap(\.self)))
        }
    }

    @Test func `a read-only disk is told, and nothing else happens`() async throws {
        try await Self.withSmallDisk { directory in
            let id = try await AfterpushClient(directory.configuration(), transport: ScriptedTransport())
                .record(.appOpened)
            // Not while the client's file is open, which its last block lets go.
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
            #expect(await client.flush() == .delivered)
            #expect(transport.taken == [id].compactMap(\.self))
            #expect(mount("tmpfs", directory.url.path, "tmpfs", UInt(MS_REMOUNT), "size=64k") == 0)
            #expect(try await client.record(.appOpened) != nil)
        }
    }

    private static func withSmallDisk(_ body: (TestDirectory) async throws -> Void) async throws {
        let directory = try TestDirectory()
        guard geteuid() == 0, mount("tmpfs", directory.url.path, "tmpfs", 0, "size=64k") == 0 else {
            print("SKIPPED: a disk that is full or read-only: only root can mount a small file system")
            return
        }
        defer { umount2(directory.url.path, Int32(MNT_DETACH)) }
        try await body(directory)
    }

    @Test func `a directory that can't be made is told`() async throws {
        let directory = try TestDirectory()
        let file = directory.url.appendingPathComponent("file")
        try Data().write(to: file)
        let client = AfterpushClient(
            directory.configuration { $0.directory = file }, transport: ScriptedTransport())
        await #expect(throws: RecordError.notWritable(code: ENOTDIR)) { try await client.record(.appOpened) }
        #expect(await client.flush() == .delivered)
    }

    @Test func `ten thousand events are recorded in little time each, and in the same memory`() async throws {
        let directory = try TestDirectory()
        let client = AfterpushClient(directory.configuration(), transport: ScriptedTransport { _, _ in .nothing })
        for _ in 0..<500 { try client.recordHere(.action("book", Sample.notification)) }
        let memory = Self.residentKiB()
        var times: [Duration] = []
        for _ in 0..<10_000 {
            let start = ContinuousClock.now
            try client.recordHere(.action("book", Sample.notification))
            times.append(ContinuousClock.now - start)
        }
        times.sort()
        let (median, p99) = (times[5_000], times[9_900])
        let growth = Self.residentKiB() - memory
        print("record: p50 \(median), p99 \(p99), longest \(times[9_999]), memory grew by \(growth) KiB")
        // Loosely: other tests use the same disk and the same memory.
        #expect(p99 < .milliseconds(100))
    }

    private static func residentKiB() -> Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status").map {
            String(decoding: $0, as: UTF8.self)
        }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
