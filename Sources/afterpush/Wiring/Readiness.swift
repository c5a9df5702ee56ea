import Postgres
import ServiceLifecycle

/// Whether events can be acknowledged now: the database answers and takes writes, and the program is not stopping.
actor Readiness: Service {
    private let pool: ConnectionPool
    private var isStopping = false
    private var last: (isReady: Bool, at: ContinuousClock.Instant)?

    init(pool: ConnectionPool) {
        self.pool = pool
    }

    /// Asks the database at most once a second.
    var isReady: Bool {
        get async {
            if isStopping { return false }
            if let last, last.at.duration(to: .now) < .seconds(1) { return last.isReady }
            let isReady = (try? await takesWrites()) ?? false
            last = (isReady, .now)
            return isReady && !isStopping
        }
    }

    func run() async throws {
        try await gracefulShutdown()
        isStopping = true
    }

    private func takesWrites() async throws -> Bool {
        try await pool.withConnection { connection in
            let rows = try await connection.query(
                "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'")
            return try rows.first?.decode(Bool.self, column: 0) ?? false
        }
    }
}
