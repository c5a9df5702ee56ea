import Instruments
import Logging
import Postgres
import ServiceLifecycle

/// Whether events can be acknowledged now: the database answers and takes writes, and the program is not stopping.
actor Readiness: Service {
    /// Why it can't.
    enum Cause: String, Label {
        case databaseAway = "database_away"
        case databaseReadOnly = "database_read_only"
        case stopping

        static let labelName = "cause"
    }

    private let pool: ConnectionPool
    private let logger: Logger
    private var isStopping = false
    private var last: (cause: Cause?, at: ContinuousClock.Instant)?
    /// What was logged: a change is told once.
    private var told: Cause??

    init(pool: ConnectionPool, logger: Logger) {
        self.pool = pool
        self.logger = logger
    }

    /// Asks the database at most once a second.
    var isReady: Bool {
        get async {
            if isStopping { return false }
            if let last, last.at.duration(to: .now) < .seconds(1) { return last.cause == nil }
            let (cause, error) = await look()
            last = (cause, .now)
            tell(cause, error)
            return cause == nil && !isStopping
        }
    }

    /// What was found last, without asking.
    var families: [MetricFamily] {
        let cause = isStopping ? Cause.stopping : last?.cause
        let causes = Dictionary(Cause.allCases.map { ($0, $0 == cause ? 1.0 : 0) }) { first, _ in first }
        return [
            .gauge(
                "afterpush_ready", "1 while events can be acknowledged, else 0.", last == nil || cause != nil ? 0 : 1),
            .gauge("afterpush_not_ready", "1 for the cause for which events can't be acknowledged, else 0.", causes),
        ]
    }

    /// Looks once a second, so that a change is told though nobody asks.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                _ = await self.isReady
                try? await Task.sleep(for: .seconds(1))
            }
        }
        isStopping = true
        tell(.stopping, nil)
    }

    private func look() async -> (Cause?, (any Error)?) {
        do {
            return try await takesWrites() ? (nil, nil) : (.databaseReadOnly, nil)
        } catch {
            return (.databaseAway, error)
        }
    }

    private func tell(_ cause: Cause?, _ error: (any Error)?) {
        guard told != .some(cause) else { return }
        told = .some(cause)
        switch cause {
        case nil: logger.info("ready: events can be acknowledged")
        case .stopping: logger.info("stopping: nothing more is taken")
        case .some(let cause):
            var metadata: Logger.Metadata = ["cause": "\(cause.rawValue)"]
            if let error { metadata["error"] = "\(error)" }
            logger.error("not ready: events can't be acknowledged", metadata: metadata)
        }
    }

    private func takesWrites() async throws -> Bool {
        try await pool.withConnection { connection in
            let rows = try await connection.query(
                "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'")
            return try rows.first?.decode(Bool.self, column: 0) ?? false
        }
    }
}
