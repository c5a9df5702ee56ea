package import Events
package import Ingest
package import Logging
import ServiceLifecycle
import Timing

/// Finds out when PostgreSQL is back, and replays what waits in the spool, in the order in which it came.
///
/// Entries are deleted after COMMIT. A kill in between replays them once more, and each is found to be there already:
/// events by their key, refusals by their fingerprint.
package struct SpoolDrainer: Service {
    /// | property | meaning |
    /// | --- | --- |
    /// | `timeout` | how long PostgreSQL may take for a group |
    /// | `pause` | between looks when nothing waits |
    /// | `adoptionPause` | between looks for what other collectors left |
    /// | `retryPause` | time after which entries that were set aside, except damaged ones, are retried |
    package struct Configuration: Sendable {
        package var timeout: Duration = .seconds(8)
        package var pause: Duration = .milliseconds(250)
        package var adoptionPause: Duration = .seconds(30)
        package var retryPause: Duration = .seconds(3_600)

        package init() {}
    }

    private let sink: any ReplaySink
    private let spool: Spool?
    private let breaker: CircuitBreaker
    private let configuration: Configuration
    private let logger: Logger
    private let suppressionList: @Sendable () async throws -> SuppressionList
    private let onStored: @Sendable () -> Void

    /// - Parameters:
    ///   - spool: nil if it is switched off.
    ///   - suppressionList: the devices and times whose events are refused, as of now.
    ///   - onStored: called after each group that was stored.
    package init(
        _ sink: any ReplaySink, spool: Spool?, breaker: CircuitBreaker, configuration: Configuration = Configuration(),
        logger: Logger, suppressionList: @escaping @Sendable () async throws -> SuppressionList = { SuppressionList() },
        onStored: @escaping @Sendable () -> Void = {}
    ) {
        self.suppressionList = suppressionList
        self.sink = sink
        self.spool = spool
        self.breaker = breaker
        self.configuration = configuration
        self.logger = logger
        self.onStored = onStored
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.drain() }
                group.addTask { await self.lookAround() }
            }
        }
    }

    /// Goes on until it is cancelled.
    private func drain() async {
        var plan = DrainPlan()
        while !Task.isCancelled {
            if let pause = breaker.pause { try? await Task.sleep(for: pause) }
            do {
                if let spool, await spool.status.entries > 0 {
                    try await replay(from: spool, &plan)
                } else if breaker.isOpen {
                    await probe()
                } else {
                    try await Task.sleep(for: configuration.pause)
                }
            } catch {
                // The spool has said what is wrong with it.
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func replay(from spool: Spool, _ plan: inout DrainPlan) async throws {
        let entries = try await spool.oldest(plan.limit, events: 5_000)
        guard !entries.isEmpty else { return }
        let outcomes: [SubmissionOutcome]
        do {
            outcomes = try await store(entries)
        } catch {
            if Task.isCancelled { return }
            try await recordFailure(error, entries, in: spool, &plan)
            return
        }
        plan.recordSuccess()
        breaker.recordSuccess()
        onStored()
        try await spool.remove(entries, outcomes: outcomes)
    }

    private func store(_ entries: [SpooledEntry]) async throws -> [SubmissionOutcome] {
        let sink = sink
        let suppressionList = suppressionList
        return try await withTimeout(configuration.timeout) {
            // Much may have been erased while they waited.
            let excluded = try await suppressionList()
            return try await sink.store(EventGroup(entries.map { $0.pending.excluding(excluded) }))
        }
    }

    private func recordFailure(
        _ error: any Error, _ entries: [SpooledEntry], in spool: Spool, _ plan: inout DrainPlan
    ) async throws {
        let isRefused = error as? SinkError == .refused
        let isOpen = await !probe()
        switch plan.recordFailure(isOpen ? .away : isRefused ? .refused : .group, entries: entries.count) {
        case .again: break
        case .wait(let pause): try await Task.sleep(for: pause)
        case .setAside:
            guard let entry = entries.first else { return }
            let reason =
                isRefused ? "PostgreSQL refuses it" : "PostgreSQL failed to store it \(DrainPlan.attempts) times"
            try await spool.setAside(
                entry.id, events: entry.entry.events.count, reason: reason, isRetried: true)
        }
    }

    /// Asks whether PostgreSQL takes groups.
    @discardableResult
    private func probe() async -> Bool {
        let sink = sink
        let takesGroups = (try? await withTimeout(.seconds(3)) { await sink.takesGroups() }) ?? false
        if takesGroups { breaker.recordSuccess() } else { breaker.recordFailure() }
        return takesGroups
    }

    /// Now and then: what other collectors left, and what was set aside.
    private func lookAround() async {
        guard let spool else { return }
        var retriedAt = ContinuousClock.now
        while !Task.isCancelled {
            do {
                try await spool.adoptLeftEntries()
                if retriedAt.duration(to: .now) > configuration.retryPause {
                    retriedAt = .now
                    try await spool.retrySetAside()
                }
            } catch {
                logger.warning(
                    "entries of a stopped collector could not be taken over", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: configuration.adoptionPause)
        }
    }
}
