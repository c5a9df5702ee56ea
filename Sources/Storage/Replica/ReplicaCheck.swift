package import Postgres
import SQLFiles
import Timing

/// Compares a replica with the primary.
///
/// Each asks with a connection of its own, so that neither waits for reports.
package actor ReplicaCheck {
    private let primary: ConnectionPool
    private let replica: ConnectionPool
    /// What the primary said last, which stays true while it is away, except for the position.
    private var known: Facts?

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - primary: Connections of any role to the primary.
    ///   - replica: Connections of any role to the replica, with time limits of a few seconds.
    package init(primary: ConnectionPool, replica: ConnectionPool) {
        self.primary = primary
        self.replica = replica
    }

    package func read() async -> ReplicaReading {
        let primary = primary
        // First, so that a replica that has replayed up to the primary's position misses nothing.
        let facts = try? await withTimeout(.seconds(1)) { try await Facts(primary) }
        known = facts ?? known
        do {
            let found = try await Facts(replica)
            guard let known else { return .foreign }
            return found.reading(primary: known, position: facts?.position)
        } catch {
            return .away(error)
        }
    }

    /// What a server says of itself.
    struct Facts: Sendable {
        /// The cluster and the database, the same on a primary and its physical replicas.
        let database: String
        /// When the server started, which tells servers of one cluster apart.
        let startedAt: String
        let isStandby: Bool
        /// The seconds since the last commit that the standby has replayed.
        let age: Double?
        /// The position in the write-ahead log, replayed or flushed.
        let position: Int64

        init(_ pool: ConnectionPool) async throws {
            self = try await pool.withConnection { connection in
                let row = try await connection.query(SQLFiles.checkReplica.text, prepared: true)[0]
                return Facts(
                    database: try row.decode(String.self, column: 0),
                    startedAt: try row.decode(String.self, column: 1),
                    isStandby: try row.decode(Bool.self, column: 2), age: try row.decode(Double?.self, column: 3),
                    position: try row.decode(Int64.self, column: 4))
            }
        }

        init(database: String, startedAt: String, isStandby: Bool, age: Double?, position: Int64) {
            self.database = database
            self.startedAt = startedAt
            self.isStandby = isStandby
            self.age = age
            self.position = position
        }

        /// Returns what the facts of a replica mean.
        ///
        /// - Parameters:
        ///   - primary: What the primary said last.
        ///   - position: The primary's position just before, or `nil` if it did not reply.
        func reading(primary: Facts, position: Int64?) -> ReplicaReading {
            guard database == primary.database else { return .foreign }
            guard isStandby else {
                // The primary itself, perhaps after a failover. Any other server that writes has a history of its own.
                return startedAt == primary.startedAt ? .replica(lag: .zero) : .foreign
            }
            if let position, self.position >= position { return .replica(lag: .zero) }
            // Without a commit that it has replayed, it began moments ago or replays nothing.
            return .replica(lag: age.map { .seconds(max(0, $0)) } ?? .seconds(86_400))
        }
    }
}
