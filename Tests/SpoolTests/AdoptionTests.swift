import Foundation
import Glibc
import Ingest
import Testing

@testable import Spool

/// Tests what happens to other slots, and to a collector's own, when a left slot can't be used.
@Suite struct AdoptionTests {
    private let directory: SpoolDirectory

    init() throws {
        directory = try SpoolDirectory()
    }

    private struct StoringSink: ReplaySink {
        func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] { group.results }

        func probe() async throws(SinkError) {}
    }

    /// Replaces a file of a slot by a directory.
    private func replace(_ name: String) {
        let path = directory.path + "/" + name
        #expect(unlink(path) == 0)
        #expect(mkdir(path, 0o700) == 0)
    }

    @Test func `slots that can't be used do not keep the entries of others from being taken over`() async throws {
        let running = try await directory.open()
        let left = [try await directory.open(), try await directory.open(), try await directory.open()]
        _ = try await left[2].add(try SpoolSample.group(["left"]))
        let identity = left[2].identity
        for spool in left { await spool.close() }
        replace("spool-0-1.sqlite")
        replace("spool-0-2.lock")
        for _ in 0..<2 {
            await #expect(throws: SpoolError.self) { try await running.adoptLeftEntries() }
            #expect(SpoolSample.names(try await running.oldest(100, events: 100)) == ["left"])
            #expect(await running.emptiedSlots.map(\.identity) == [identity])
        }
        await running.close()
    }

    @Test func `while a left slot can't be used, remains are deleted and entries that were set aside retried`()
        async throws
    {
        let spool = try await directory.open()
        let left = try await directory.open()
        await left.close()
        replace("spool-0-1.sqlite")
        let remains = directory.path + "/spool-0-0.aside-1"
        try Data().write(to: URL(filePath: remains))
        _ = try await spool.add(try SpoolSample.group(["refused"]))
        let first = try #require(try await spool.oldest(1, events: 1).first)
        try await spool.setAside(first.id, events: 1, reason: "refused", isRetried: true)
        var configuration = SpoolDrainer.Configuration()
        configuration.adoptionPause = .milliseconds(10)
        configuration.retryPause = .zero
        configuration.remainsLifetime = .zero
        let drainer = SpoolDrainer(
            StoringSink(), spool: spool, breaker: CircuitBreaker(logger: SpoolSample.logger),
            configuration: configuration, logger: SpoolSample.logger)
        let running = Task { try await drainer.run() }
        let deadline = ContinuousClock.now + .seconds(30)
        while await spool.status.setAsideEntries > 0 || FileManager.default.fileExists(atPath: remains),
            ContinuousClock.now < deadline
        {
            try await Task.sleep(for: .milliseconds(10))
        }
        running.cancel()
        _ = try? await running.value
        #expect(await spool.status.setAsideEntries == 0)
        #expect(!FileManager.default.fileExists(atPath: remains))
        await spool.close()
    }
}
