/// Lends connections for reading: those of a replica while it can be used, and otherwise those of the primary.
///
/// What is read is repeated if the replica fails: at once on the primary if the connection is lost, and once on the
/// replica itself if it ended the statement in order to go on replaying. So a body must have no effect until it returns.
/// A statement that takes too long on a replica that replies is not repeated.
package struct ReadPool: Sendable {
    private let primary: ConnectionPool
    private let replica: (pool: ConnectionPool, state: Replica)?

    /// Creates a pool without a replica.
    package init(_ primary: ConnectionPool) {
        self.primary = primary
        replica = nil
    }

    /// Creates a pool that prefers a replica.
    ///
    /// - Parameters:
    ///   - pool: The replica's connections for the same purpose as those of `primary`.
    ///   - state: Whether the replica can be used, which all its pools share.
    package init(_ primary: ConnectionPool, preferring pool: ConnectionPool, state: Replica) {
        self.primary = primary
        replica = (pool, state)
    }

    /// Lends a connection for as long as `body` runs, which may be more than once.
    ///
    /// - Parameter owner: On whose account it is lent, such as an app.
    package nonisolated(nonsending) func withConnection<T>(
        of owner: Int32? = nil, _ body: (Connection) async throws -> T
    ) async throws -> T {
        guard let replica, await replica.state.isUsable() else {
            return try await primary.withConnection(of: owner, body)
        }
        var hasMetConflict = false
        while true {
            do {
                return try await replica.pool.withConnection(of: owner, body)
            } catch let error as PostgresError {
                try Task.checkCancellation()
                switch ReplicaFailure(error) {
                case .conflict where !hasMetConflict:
                    hasMetConflict = true
                    continue
                case .conflict: break
                case .lost:
                    await replica.state.suspect()
                    // It replies to the check, so the statement is what takes too long, and would on the primary as well.
                    if error.kind == .timeout, await replica.state.isUsable() { throw error }
                // Others hold all connections, and wait for a server that does not reply.
                case nil where error.kind == .poolTimeout && !replica.state.state.isUsable: break
                case nil: throw error
                }
                replica.state.onRepeat(error)
            }
            return try await primary.withConnection(of: owner, body)
        }
    }

    /// Lends a connection of the primary, for what must not be behind.
    ///
    /// - Parameter owner: On whose account it is lent, such as an app.
    package nonisolated(nonsending) func withPrimaryConnection<T>(
        of owner: Int32? = nil, _ body: (Connection) async throws -> T
    ) async throws -> T {
        try await primary.withConnection(of: owner, body)
    }
}

/// An error of a replica after which the same can be read from the primary.
enum ReplicaFailure: Equatable {
    /// The replica ended the statement, because what it replays removes rows or tables that the statement reads.
    case conflict
    /// The replica stops, is gone or does not reply.
    case lost

    init?(_ error: PostgresError) {
        if error.isRecoveryConflict {
            self = .conflict
        } else if error.isConnectionLoss || error.isServerFailure {
            self = .lost
        } else {
            return nil
        }
    }
}
