package import Events
package import Ingest
package import Logging
import ServiceLifecycle
import Timing

/// Probes PostgreSQL while it is unavailable, and replays the entries of the spool in order.
///
/// Entries are deleted after COMMIT. If the process is killed between the two, they are replayed again and recognized
/// as duplicates: events by their key, rejections by their fingerprint.
package struct SpoolDrainer: Service {
    /// The time limit and the intervals of the drainer.
    ///
    /// | property | meaning |
    /// | --- | --- |
    /// | `timeout` | time limit for PostgreSQL to store a group |
    /// | `pause` | interval between checks of an empty spool |
    /// | `erasurePause` | interval between checks for erased devices in entries that were set aside |
    /// | `adoptionPause` | interval between checks for entries that other collectors left |
    /// | `retryPause` | time after which entries that were set aside, except damaged ones, are retried |
    /// | `remainsLifetime` | time after which damaged entries and files are deleted |
    package struct Configuration: Sendable {
        package var timeout: Duration = .seconds(8)
        package var pause: Duration = .milliseconds(250)
        package var erasurePause: Duration = .milliseconds(500)
        package var adoptionPause: Duration = .seconds(30)
        package var retryPause: Duration = .seconds(3_600)
        package var remainsLifetime = Spool.remainsLifetime

        package init() {}
    }

    private let sink: any ReplaySink
    private let spool: Spool?
    private let breaker: CircuitBreaker
    private let configuration: Configuration
    private let logger: Logger
    private let suppressionList: @Sendable () async throws -> SuppressionList
    private let onEmpty: @Sendable () -> Void
    private let onStored: @Sendable () -> Void

    /// Creates a drainer that replays entries to `sink`.
    ///
    /// - Parameters:
    ///   - spool: The spool, or `nil` if it is switched off.
    ///   - suppressionList: Returns the current list of devices and times whose events are rejected.
    ///   - onEmpty: Called again and again while the spool is empty and PostgreSQL available.
    ///   - onStored: Called after each group that was stored.
    package init(
        _ sink: any ReplaySink, spool: Spool?, breaker: CircuitBreaker, configuration: Configuration = Configuration(),
        logger: Logger, suppressionList: @escaping @Sendable () async throws -> SuppressionList = { SuppressionList() },
        onEmpty: @escaping @Sendable () -> Void = {}, onStored: @escaping @Sendable () -> Void = {}
    ) {
        self.suppressionList = suppressionList
        self.sink = sink
        self.spool = spool
        self.breaker = breaker
        self.configuration = configuration
        self.logger = logger
        self.onEmpty = onEmpty
        self.onStored = onStored
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withTaskGroup { group in
                group.addTask { await self.drain() }
                group.addTask { await self.maintain() }
                group.addTask { await self.erase() }
            }
        }
    }

    /// Replays entries until the task is cancelled.
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
                    onEmpty()
                    try await Task.sleep(for: configuration.pause)
                }
            } catch {
                // The spool has logged the error.
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
            // Devices may have been erased while the entries waited.
            let suppressed = try await suppressionList()
            return try await sink.store(EventGroup(entries.map { $0.pending.excluding(suppressed) }))
        }
    }

    private func recordFailure(
        _ error: any Error, _ entries: [SpooledEntry], in spool: Spool, _ plan: inout DrainPlan
    ) async throws {
        let (failure, reason): (DrainPlan.Failure, String) =
            switch error as? SinkError {
            case .refused: (.refused, "PostgreSQL refuses it")
            case .namesLocked(apps: _, hasProgressed: true): (.unfinished, "its names take long")
            case .namesLocked: (.locked, "another transaction locks the names of its app")
            default: (.group, "PostgreSQL failed to store it \(DrainPlan.attempts) times")
            }
        let isOpen = await !probe()
        switch plan.recordFailure(isOpen ? .away : failure, entries: entries.count) {
        case .again: break
        case .wait(let pause): try await Task.sleep(for: pause)
        case .setAside:
            guard let entry = entries.first else { return }
            try await spool.setAside(
                entry.id, events: entry.entry.events.count, reason: reason, isRetried: true)
        }
    }

    /// Tests whether PostgreSQL stores groups, and reports the result to the circuit breaker.
    @discardableResult
    private func probe() async -> Bool {
        let sink = sink
        do {
            try await withTimeout(.seconds(3)) { try await sink.probe() }
            breaker.recordSuccess()
            return true
        } catch {
            breaker.recordFailure(isStandby: error as? SinkError == .standby)
            return false
        }
    }

    /// Erases devices from entries that were set aside, soon after either changes.
    private func erase() async {
        guard let spool else { return }
        var seen = (devices: 0, entries: 0)
        while !Task.isCancelled {
            let entries = await spool.status.setAsideEntries
            if entries > 0, let devices = try? await suppressionList(), (devices.count, entries) != seen,
                (try? await spool.erase(devices)) != nil
            {
                seen = (devices.count, await spool.status.setAsideEntries)
            }
            try? await Task.sleep(for: configuration.erasurePause)
        }
    }

    /// Adopts entries that other collectors left and retries entries that were set aside, at intervals.
    private func maintain() async {
        guard let spool else { return }
        var retriedAt = ContinuousClock.now
        while !Task.isCancelled {
            do {
                try await spool.adoptLeftEntries(erasing: (try? await suppressionList()) ?? SuppressionList())
            } catch {
                logger.warning(
                    "entries of a stopped collector could not be taken over", metadata: ["error": "\(error)"])
            }
            do {
                try await spool.removeRemains(olderThan: configuration.remainsLifetime)
                if retriedAt.duration(to: .now) > configuration.retryPause {
                    retriedAt = .now
                    try await spool.retrySetAside()
                }
            } catch {
                logger.warning(
                    "entries that were set aside could not be retried or deleted", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: configuration.adoptionPause)
        }
    }
}

/// A sink to which entries of the spool are replayed.
package protocol ReplaySink: EventSink {
    /// Tests whether the sink stores groups now, without storing anything.
    func probe() async throws(SinkError)
}
