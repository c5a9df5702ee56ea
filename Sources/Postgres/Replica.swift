package import Logging
import Synchronization

/// Knows whether a replica can be used, from checks that it makes before it is used, and at least every five seconds.
package actor Replica {
    /// The time for which a check counts. A collector checks every second.
    private static let lifetime: Duration = .seconds(5)

    private let check: @Sendable () async -> ReplicaReading
    private let logger: Logger
    nonisolated let onRepeat: @Sendable (PostgresError) -> Void
    private let onGone: @Sendable () async -> Void
    private let patience: Duration
    private var awaySince: ContinuousClock.Instant?
    private var checkedAt: ContinuousClock.Instant?
    private var running: Task<Void, Never>?
    private nonisolated let shared: Mutex<ReplicaState>

    /// Creates the state of a replica that has not been checked.
    ///
    /// - Parameters:
    ///   - maxLag: The lag beyond which the primary is used instead.
    ///   - check: Checks the replica within a few seconds.
    ///   - patience: How long a replica may fail to reply before what waits for it is ended.
    ///   - onRepeat: Called when something is read from the primary after the replica failed.
    ///   - onGone: Called after each check of a replica that has not replied for longer than that.
    package init(
        maxLag: Duration, patience: Duration = .seconds(30), logger: Logger,
        onRepeat: @escaping @Sendable (PostgresError) -> Void = { _ in },
        onGone: @escaping @Sendable () async -> Void = {},
        check: @escaping @Sendable () async -> ReplicaReading
    ) {
        self.check = check
        self.logger = logger
        self.onRepeat = onRepeat
        self.onGone = onGone
        self.patience = patience
        shared = Mutex(ReplicaState(maxLag: maxLag))
    }

    /// The result of the latest check.
    package nonisolated var state: ReplicaState { shared.withLock { $0 } }

    /// Returns whether the replica can be used, after a check if the latest is too old.
    func isUsable() async -> Bool {
        if self.checkedAt.map({ $0.duration(to: .now) > Self.lifetime }) ?? true { await self.update() }
        return self.state.isUsable
    }

    /// Makes the next use wait for a check, after a connection was lost.
    func suspect() {
        self.checkedAt = nil
    }

    /// Checks the replica now, or waits for the check that is running.
    package func update() async {
        if let running { return await running.value }
        // Not structured, because several callers wait for it. It ends by the time limits of its statements.
        let task = Task { await self.runCheck() }
        self.running = task
        await task.value
    }

    private func runCheck() async {
        let reading = await self.check()
        self.running = nil
        self.checkedAt = .now
        if case .away = reading {
            let since = self.awaySince ?? .now
            self.awaySince = since
            if since.duration(to: .now) > self.patience { await self.onGone() }
        } else {
            self.awaySince = nil
        }
        guard let change = self.shared.withLock({ $0.record(reading) }) else { return }
        var metadata: Logger.Metadata = [:]
        if let lag = reading.lag {
            metadata["lag_seconds"] = .stringConvertible((lag / .milliseconds(1)).rounded() / 1_000)
        }
        switch change {
        case .first: self.logger.info("reports are read from the replica", metadata: metadata)
        case .returned: self.logger.notice("reports are read from the replica again", metadata: metadata)
        case .fellBack(let cause):
            metadata["cause"] = "\(cause.rawValue)"
            if case .away(let error) = reading { metadata["error"] = "\(error)" }
            self.logger.warning("reports are read from the primary instead of the replica", metadata: metadata)
        }
    }
}

/// The result of a check of a replica.
package enum ReplicaReading: Sendable {
    /// It is a replica of the database, and this far behind.
    case replica(lag: Duration)
    /// It is another database, or a copy that no longer follows the primary.
    case foreign
    /// It did not reply.
    case away(any Error)

    package var lag: Duration? {
        if case .replica(let lag) = self { lag } else { nil }
    }
}

/// Decides whether a replica is used, from the results of checks, without a clock.
///
/// The first good check is enough at the start. After the replica could not be used, three in a row are needed, so that
/// a replica that comes and goes does not take its readers along each time.
package struct ReplicaState: Sendable {
    /// Why the primary is used instead.
    package enum Cause: String, Sendable, CaseIterable {
        case away, behind, foreign
    }

    enum Change: Equatable {
        case first
        case returned
        case fellBack(Cause)
    }

    private static let goodChecksToReturn = 3

    private let maxLag: Duration
    private var goodChecks = 0
    private var isChecked = false
    /// Whether the replica is used.
    package private(set) var isUsable = false
    /// Why it is not, or `nil` before the first check and while it is.
    package private(set) var cause: Cause?
    /// Its lag at the latest check, or `nil` if that is unknown.
    package private(set) var lag: Duration?

    init(maxLag: Duration) {
        self.maxLag = maxLag
    }

    /// Records a check; returns what changes by it, if anything does.
    mutating func record(_ reading: ReplicaReading) -> Change? {
        lag = reading.lag
        let isFirst = !isChecked
        isChecked = true
        if let problem = problem(reading) {
            goodChecks = 0
            defer { (isUsable, cause) = (false, problem) }
            return problem == cause ? nil : .fellBack(problem)
        }
        goodChecks += 1
        guard !isUsable, isFirst || goodChecks >= Self.goodChecksToReturn else { return nil }
        (isUsable, cause) = (true, nil)
        return isFirst ? .first : .returned
    }

    private func problem(_ reading: ReplicaReading) -> Cause? {
        switch reading {
        case .replica(let lag): lag > maxLag ? .behind : nil
        case .foreign: .foreign
        case .away: .away
        }
    }
}
