import Foundation
import Testing

@testable import Spool

/// E35: a disk that is full or read-only. What was not written is not acknowledged; what was is not lost.
@Suite(.enabled(if: SmallDisk.isPossible, "SKIPPED: only root can mount a small disk"))
struct DiskFaultTests {
    private let disk: SmallDisk
    private let directory: SpoolDirectory

    init() throws {
        disk = try SmallDisk(megabytes: 4)
        directory = try SpoolDirectory()
    }

    private func open(margin: Int = -1 << 40) async throws -> Spool {
        try await directory.open {
            $0.directory = disk.path + "/spool"
            // None: the disk itself has to say that it is full.
            $0.freeMargin = margin
        }
    }

    /// Adds until the spool refuses; the names of what it took.
    private func filled(_ spool: Spool) async throws -> (names: [String], error: SpoolError) {
        var names: [String] = []
        while true {
            let group = (0..<8).map { "n\(names.count + $0)" }
            let events = try SpoolSample.group(group, filler: 3_500)
            do throws(SpoolError) {
                _ = try await spool.add(events)
            } catch {
                return (names, error)
            }
            names += group
        }
    }

    private func names(_ spool: Spool) async throws -> [String] {
        SpoolSample.names(try await spool.oldest(10_000, events: 100_000))
    }

    /// Waits until a group is taken again.
    private func takes(_ spool: Spool, _ name: String) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if (try? await spool.add(try SpoolSample.group([name]))) != nil { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    @Test func `a full disk acknowledges nothing more and loses nothing, and goes on when there is room`() async throws
    {
        let spool = try await open()
        let (taken, error) = try await filled(spool)
        #expect(!taken.isEmpty)
        guard case .unusable = error else {
            Issue.record("\(error)")
            return
        }
        // The next one is no success either, however often it is tried.
        for _ in 0..<5 {
            await #expect(throws: SpoolError.self) { try await spool.add(try SpoolSample.group(["no"], filler: 3_500)) }
        }
        try disk.remount(megabytes: 16)
        #expect(try await takes(spool, "after"))
        let names = try await names(spool)
        #expect(names == taken + ["after"])
        let status = await spool.status
        #expect(status.isUsable)
        #expect(status.counts == SpoolCounts(spooled: taken.count + 1))
    }

    @Test func `the margin stops it before the disk is full`() async throws {
        let spool = try await open(margin: 1 << 20)
        let (taken, error) = try await filled(spool)
        #expect(!taken.isEmpty && error == .full)
        #expect(DiskSpace.free(at: disk.path) >= 1 << 20)
        #expect(await spool.status.isUsable)
    }

    @Test func `a disk that becomes read-only is met by refusal, and used again when it can be written`() async throws {
        let spool = try await open()
        _ = try await spool.add(try SpoolSample.group(["before"]))
        // SQLite has the file open for writing; only its next file, the journal, is refused.
        await spool.close(after: SpoolError.unusable(reason: "so that it is opened anew"))
        try disk.remount(megabytes: 4, readOnly: true)
        try await Task.sleep(for: .milliseconds(600))
        await #expect(throws: SpoolError.self) { try await spool.add(try SpoolSample.group(["no"])) }
        #expect(await !spool.canTake)
        #expect(await !spool.status.isUsable)
        try disk.remount(megabytes: 4)
        #expect(try await takes(spool, "after"))
        #expect(try await names(spool) == ["before", "after"])
    }
}
