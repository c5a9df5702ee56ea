import Instruments
import Logging
import Postgres
import Server
import ServiceLifecycle
import Spool
import Storage

/// Checks whether events can be acknowledged: the database or the spool accepts writes, there is memory to read
/// requests, and the program is not stopping.
actor ReadinessWorker: Service {
    /// The reason why the database, or the whole collector, doesn't accept events.
    enum Cause: String, Label {
        case databaseAway = "database_away"
        case databaseReadOnly = "database_read_only"
        /// It is a standby, for which nothing is spooled.
        case databaseStandby = "database_standby"
        /// The memory for the bodies of requests is in use.
        case overloaded
        case stopping

        static let labelName = "cause"
    }

    private struct Outcome {
        var state: ReadyState
        var cause: Cause?
    }

    private let pool: ConnectionPool
    private let breaker: CircuitBreaker
    private let spool: Spool?
    private let bodyMemory: BodyMemory
    private let logger: Logger
    private var isStopping = false
    /// Whether the last check found the memory for bodies exhausted.
    private var wasExhausted = false
    private var last: (outcome: Outcome, at: ContinuousClock.Instant)?
    /// The state that was logged last, so that each change is logged once.
    private var loggedState: ReadyState?

    /// Creates a worker.
    ///
    /// - Parameter spool: The spool, or nil if it is disabled.
    init(
        pool: ConnectionPool, breaker: CircuitBreaker, spool: Spool?, bodyMemory: BodyMemory, logger: Logger
    ) {
        self.pool = pool
        self.breaker = breaker
        self.spool = spool
        self.bodyMemory = bodyMemory
        self.logger = logger
    }

    /// The state, from a query at most once per second that takes one second at most.
    var state: ReadyState {
        get async {
            if self.isStopping { return .notReady }
            if let last, last.at.duration(to: .now) < .seconds(1) { return last.outcome.state }
            let (outcome, error) = await self.check()
            if self.isStopping { return .notReady }
            self.last = (outcome, .now)
            self.log(outcome, error)
            return outcome.state
        }
    }

    /// The metrics of the last check, without a new query.
    var families: [MetricFamily] {
        let outcome = self.isStopping ? Outcome(state: .notReady, cause: .stopping) : self.last?.outcome
        let isReady = outcome?.state.isReady ?? false
        let cause = isReady ? nil : outcome?.cause
        let causes = Dictionary(Cause.allCases.map { ($0, $0 == cause ? 1.0 : 0) }) { first, _ in first }
        return [
            .gauge(
                "afterpush_ready", "1 while events can be acknowledged, else 0.",
                isReady ? 1 : 0),
            .gauge("afterpush_not_ready", "1 for the reason why events can't be acknowledged, else 0.", causes),
        ]
    }

    /// Checks once a second, so that a change is logged even without a request to `/readyz`.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                _ = await self.state
                try? await Task.sleep(for: .seconds(1))
            }
        }
        self.isStopping = true
        self.log(Outcome(state: .notReady, cause: .stopping), nil)
    }

    private func check() async -> (Outcome, (any Error)?) {
        // In two checks, which are a second apart, because a moment's burst is over before a balancer could react.
        let isExhausted = self.bodyMemory.isExhausted
        defer { self.wasExhausted = isExhausted }
        if isExhausted, self.wasExhausted { return (Outcome(state: .notReady, cause: .overloaded), nil) }
        let standby = Outcome(state: .standby, cause: .databaseStandby)
        if self.breaker.isStandby { return (standby, nil) }
        let pool = pool
        var failure: (any Error)?
        var cause = Cause.databaseAway
        do {
            switch try await self.breaker.run(within: .seconds(1), { try await pool.writability() }) {
            case .writable: return (Outcome(state: .ready), nil)
            case .standby: return (standby, nil)
            case .readOnly: cause = .databaseReadOnly
            }
        } catch {
            failure = error
        }
        if await self.spool?.canTake == true { return (Outcome(state: .spooling, cause: cause), failure) }
        return (Outcome(state: cause == .databaseReadOnly ? .readOnly : .notReady, cause: cause), failure)
    }

    private func log(_ outcome: Outcome, _ error: (any Error)?) {
        guard self.loggedState != outcome.state else { return }
        self.loggedState = outcome.state
        var metadata: Logger.Metadata = [:]
        if let cause = outcome.cause { metadata["cause"] = "\(cause.rawValue)" }
        if let error { metadata["error"] = "\(error)" }
        switch outcome.state {
        case .ready: self.logger.info("ready: events can be acknowledged")
        case .spooling: self.logger.warning("ready: events are spooled", metadata: metadata)
        case .notReady where outcome.cause == .stopping: self.logger.info("stopping: no more events are accepted")
        case .notReady, .standby, .readOnly:
            self.logger.error("not ready: events can't be acknowledged", metadata: metadata)
        }
    }
}
