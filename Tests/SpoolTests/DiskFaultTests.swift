import Foundation
import Testing

@testable import Spool

/// Tests E35: on a full or read-only disk no event is acknowledged without being written, and no written one is lost.
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
            // No margin: the disk itself has to be full.
            $0.freeMargin = margin
        }
    }

    /// Adds groups until the spool refuses one, and returns the names of the accepted ones.
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

    /// Waits until a group is accepted again.
    private func takes(_ spool: Spool, _ name: String) async throws -> Bool {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if (try? await spool.add(try SpoolSample.group([name]))) != nil { return true }
            try await Task.sleep(for: .milliseconds(100))
        }
        return false
    }

    @Test func `E35: a spool on a full disk acknowledges and loses nothing, and continues when space is free`()
        async throws
    {
        let spool = try await open()
        let (taken, error) = try await filled(spool)
        #expect(!taken.isEmpty)
        guard case .unusable = error else {
            Issue.record("\(error)")
            return
        }
        // The next group fails, too, even when it is retried.
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

    @Test func `E35: the spool stops at its margin before the disk is full`() async throws {
        let spool = try await open(margin: 1 << 20)
        let (taken, error) = try await filled(spool)
        #expect(!taken.isEmpty && error == .full)
        #expect(DiskSpace.free(at: disk.path) >= 1 << 20)
        #expect(await spool.status.isUsable)
    }

    @Test func `E35: the spool refuses groups while its disk is read-only, and accepts them afterwards`() async throws {
        let spool = try await open()
        _ = try await spool.add(try SpoolSample.group(["before"]))
        // SQLite has the file open for writing; only the next file, the journal, is refused.
        await spool.close(after: SpoolError.unusable(reason: "so that it is opened again"))
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
