import Instruments
import Logging
import Postgres
import Server
import ServiceLifecycle
import Spool
import Storage

/// Whether events can be acknowledged now: the database answers and takes writes, or the spool takes them, and the
/// program is not stopping.
actor ReadinessWorker: Service {
    /// Why the database doesn't take them, or nothing does.
    enum Cause: String, Label {
        case databaseAway = "database_away"
        case databaseReadOnly = "database_read_only"
        case stopping

        static let labelName = "cause"
    }

    private struct Look {
        var state: ReadyState
        var cause: Cause?
    }

    private let pool: ConnectionPool
    private let breaker: CircuitBreaker
    private let spool: Spool?
    private let logger: Logger
    private var isStopping = false
    private var last: (look: Look, at: ContinuousClock.Instant)?
    /// The state that was logged last, so that each change is logged once.
    private var told: ReadyState?

    /// - Parameter spool: nil if it is switched off.
    init(pool: ConnectionPool, breaker: CircuitBreaker, spool: Spool?, logger: Logger) {
        self.pool = pool
        self.breaker = breaker
        self.spool = spool
        self.logger = logger
    }

    /// Asks the database at most once a second, and for a second at most.
    var state: ReadyState {
        get async {
            if self.isStopping { return .notReady }
            if let last, last.at.duration(to: .now) < .seconds(1) { return last.look.state }
            let (look, error) = await self.look()
            if self.isStopping { return .notReady }
            self.last = (look, .now)
            self.tell(look, error)
            return look.state
        }
    }

    /// What was found last, without asking.
    var families: [MetricFamily] {
        let look = self.isStopping ? Look(state: .notReady, cause: .stopping) : self.last?.look
        let cause = look?.state == .notReady ? look?.cause : nil
        let causes = Dictionary(Cause.allCases.map { ($0, $0 == cause ? 1.0 : 0) }) { first, _ in first }
        return [
            .gauge(
                "afterpush_ready", "1 while events can be acknowledged, else 0.",
                look == nil || look?.state == .notReady ? 0 : 1),
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
        self.tell(Look(state: .notReady, cause: .stopping), nil)
    }

    private func look() async -> (Look, (any Error)?) {
        let pool = pool
        var failure: (any Error)?
        var cause = Cause.databaseAway
        do {
            if try await self.breaker.run(within: .seconds(1), { try await pool.acceptsWrites() }) {
                return (Look(state: .ready), nil)
            }
            cause = .databaseReadOnly
        } catch {
            failure = error
        }
        let isSpooling = await self.spool?.canTake == true
        return (Look(state: isSpooling ? .spooling : .notReady, cause: cause), failure)
    }

    private func tell(_ look: Look, _ error: (any Error)?) {
        guard self.told != look.state else { return }
        self.told = look.state
        var metadata: Logger.Metadata = [:]
        if let cause = look.cause { metadata["cause"] = "\(cause.rawValue)" }
        if let error { metadata["error"] = "\(error)" }
        switch look.state {
        case .ready: self.logger.info("ready: events can be acknowledged")
        case .spooling: self.logger.warning("ready: events are spooled", metadata: metadata)
        case .notReady where look.cause == .stopping: self.logger.info("stopping: no more events are accepted")
        case .notReady: self.logger.error("not ready: events can't be acknowledged", metadata: metadata)
        }
    }
}
