package import Postgres
import SQLFiles
import Timing

/// Compares a replica with the primary.
///
/// Each asks with a connection of its own, so that neither waits for reports.
package actor ReplicaCheck {
    private let primary: ConnectionPool
    private let replica: ConnectionPool
    /// What the primary said last, which stays true while it is away, except for its position and its newest mark.
    private var known: Facts?
    /// What the primary said last of the replica's newest mark.
    private var knownMark: Mark?

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - primary: Connections of the role `afterpush_worker` to the primary.
    ///   - replica: Connections of that role to the replica, with time limits of a few seconds.
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
            let newest = facts?.mark?.id
            let mark = try? await withTimeout(.seconds(1)) {
                try await Mark(found.mark, newest: newest, on: primary)
            }
            knownMark = mark ?? knownMark
            guard let knownMark else { return .foreign }
            return found.reading(
                primary: known, position: facts?.position, mark: mark ?? Mark(isOwn: knownMark.isOwn, missing: nil))
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
        /// The newest mark; see `ReplicaWorker`.
        let mark: (id: Int64, text: String)?

        init(_ pool: ConnectionPool) async throws {
            self = try await pool.withConnection { connection in
                let row = try await connection.query(SQLFiles.checkReplica.text, prepared: true)[0]
                let mark = try row.decode(Int64?.self, column: 5).map { ($0, try row.decode(String.self, column: 6)) }
                return Facts(
                    database: try row.decode(String.self, column: 0),
                    startedAt: try row.decode(String.self, column: 1),
                    isStandby: try row.decode(Bool.self, column: 2), age: try row.decode(Double?.self, column: 3),
                    position: try row.decode(Int64.self, column: 4), mark: mark)
            }
        }

        init(
            database: String, startedAt: String, isStandby: Bool, age: Double?, position: Int64,
            mark: (id: Int64, text: String)? = nil
        ) {
            self.database = database
            self.startedAt = startedAt
            self.isStandby = isStandby
            self.age = age
            self.position = position
            self.mark = mark
        }

        /// Returns what the facts of a replica mean.
        ///
        /// - Parameters:
        ///   - primary: What the primary said last.
        ///   - position: The primary's position just before, or `nil` if it did not reply.
        ///   - mark: What the primary says of the replica's newest mark.
        func reading(primary: Facts, position: Int64?, mark: Mark) -> ReplicaReading {
            guard database == primary.database else { return .foreign }
            guard isStandby else {
                // The primary itself, perhaps after a failover. Any other server that writes has a history of its own.
                return startedAt == primary.startedAt ? .replica(lag: .zero) : .foreign
            }
            // A copy with a history of its own can have any position.
            guard mark.isOwn else { return .foreign }
            if let position, self.position >= position, mark.missing == nil { return .replica(lag: .zero) }
            // Without a commit that it has replayed, it began moments ago or replays nothing.
            return .replica(lag: .seconds(max(0, age ?? 86_400, mark.missing ?? 0)))
        }
    }

    /// What the primary says of the newest mark of a replica.
    struct Mark: Sendable {
        /// Whether the primary has the same mark. This is also true if the replica has no mark yet.
        let isOwn: Bool
        /// The seconds since the first mark that the replica lacks, or `nil` if it lacks none.
        let missing: Double?

        init(isOwn: Bool, missing: Double?) {
            self.isOwn = isOwn
            self.missing = missing
        }

        init(_ mark: (id: Int64, text: String)?, newest: Int64?, on primary: ConnectionPool) async throws {
            self = try await primary.withConnection { connection in
                let row = try await connection.query(
                    SQLFiles.checkReplicaMark.text, [.int8(mark?.id), .text(mark?.text), .int8(newest)],
                    prepared: true)[0]
                let (isOwn, missing) = try row.decode(Bool.self, Double?.self)
                return Mark(isOwn: isOwn, missing: missing)
            }
        }
    }
}
