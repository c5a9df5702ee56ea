package import AfterpushWire
package import Dialects
package import Foundation
package import Postgres
import SQLFiles
package import Spool

/// Finds events that are stored already by their identity without the time, and those that another collector is storing.
package struct PostgresArrivalStore: ArrivalStore {
    private let pool: ConnectionPool
    private let breaker: CircuitBreaker

    /// Creates a store.
    ///
    /// - Parameter pool: The pool of the ingest role.
    package init(pool: ConnectionPool, breaker: CircuitBreaker) {
        self.pool = pool
        self.breaker = breaker
    }

    package func times(of events: [TimelessEvent], app: Int32) async throws -> [UUID: AfterpushWire.Timestamp] {
        let keys = events.flatMap { event in event.deliveryIDs.map { (delivery: $0, event: event) } }
        let claims = Dictionary(events.map { ($0.claimID, $0) }) { first, _ in first }.values
        let since = keys.map(\.event.since.microseconds)
        let parameters: [Parameter] = [
            .int4(app), .uuidArray(claims.map(\.claimID)), .timestampArray(claims.map(\.time.microseconds)),
            .int8Array(claims.map(\.claim.components.seconds)), .uuidArray(keys.map(\.delivery)),
            .uuidArray(keys.map(\.event.id)), .timestampArray(since), .timestamp(since.min()),
            .uuidArray(keys.map(\.event.claimID)), .boolArray(keys.map(\.event.isProven)),
        ]
        let rows = try await breaker.run(within: .seconds(1)) {
            try await pool.withConnection(of: app) { connection in
                try await connection.query(SQLFiles.claimArrivals.text, parameters, prepared: true)
            }
        }
        var times: [UUID: AfterpushWire.Timestamp] = [:]
        for row in rows {
            let (event, time) = try row.decode(UUID.self, Postgres.Timestamp.self)
            times[event] = AfterpushWire.Timestamp(microseconds: time.microseconds)
        }
        return times
    }
}
