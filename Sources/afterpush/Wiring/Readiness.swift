import Postgres
import Server
import ServiceLifecycle
import Storage

/// Whether events can be acknowledged now: the database answers and takes writes, or the spool takes them, and the
/// program is not stopping.
actor Readiness: Service {
    private let pool: ConnectionPool
    private let gate: DatabaseGate
    private let spool: Spool?
    private var isStopping = false
    private var last: (state: ReadyState, at: ContinuousClock.Instant)?

    /// - Parameter spool: nil if it is switched off.
    init(pool: ConnectionPool, gate: DatabaseGate, spool: Spool?) {
        self.pool = pool
        self.gate = gate
        self.spool = spool
    }

    /// Asks the database at most once a second, and for a second at most.
    var state: ReadyState {
        get async {
            if self.isStopping { return .notReady }
            if let last, last.at.duration(to: .now) < .seconds(1) { return last.state }
            let state = await self.look()
            self.last = (state, .now)
            return self.isStopping ? .notReady : state
        }
    }

    func run() async throws {
        try await gracefulShutdown()
        isStopping = true
    }

    private func look() async -> ReadyState {
        let pool = pool
        let takesWrites = try? await gate.ask(within: .seconds(1)) { try await Self.takesWrites(pool) }
        if takesWrites == true { return .ready }
        return await spool?.canTake == true ? .spooling : .notReady
    }

    private static func takesWrites(_ pool: ConnectionPool) async throws -> Bool {
        try await pool.withConnection { connection in
            let rows = try await connection.query(
                "select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'")
            return try rows.first?.decode(Bool.self, column: 0) ?? false
        }
    }
}
