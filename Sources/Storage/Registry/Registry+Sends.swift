import AfterpushWire
package import Declarations
package import Events
package import Postgres
import SQLFiles
package import Spool

extension Registry {
    /// Declares sends and returns how many are new: those whose id is known already change nothing.
    ///
    /// - Parameters:
    ///   - pool: of the role that takes events.
    ///   - limits: of the undeclared names that they state.
    /// - Throws: `DeclarationError` past a limit; none is declared then.
    package static func declareSends(
        _ sends: [DeclaredSend], app id: Int32, in pool: ConnectionPool, limits: NameLimits = NameLimits()
    ) async throws -> Int {
        var seen: Set<ReferencedName> = []
        let names = sends.flatMap { $0.statedNames(ofApp: id) }.filter { seen.insert($0).inserted }
        try DeclaredSend.refuse(
            sends, ofApp: id, stating: try await NameReservation.take(names, limits, in: pool), limits)
        return try await pool.withConnection { connection in
            try await connection.execute(
                SQLFiles.putSends.text,
                [
                    .int4(id), .uuidArray(sends.map(\.id)), .textArray(sends.map(\.campaign)),
                    .textArray(sends.map(\.category)), .int4Array(sends.map(\.categoryVersion)),
                    .textArray(sends.map(\.variant)), .textArray(sends.map(\.platform?.rawValue)),
                    .int8Array(sends.map(\.count)), .int8Array(sends.map(\.failed)),
                    .timestampArray(sends.map(\.sentAt.microseconds)),
                ])
        }
    }
}

/// The declared sends, in the database. A database that doesn't respond fails a request within eight seconds.
package struct PostgresSendStore: SendStore {
    private let pool: ConnectionPool
    private let breaker: CircuitBreaker
    private let limits: NameLimits

    /// - Parameters:
    ///   - pool: The pool of the role that stores events.
    ///   - limits: The limits for undeclared names that the sends state.
    package init(pool: ConnectionPool, breaker: CircuitBreaker, limits: NameLimits) {
        self.pool = pool
        self.breaker = breaker
        self.limits = limits
    }

    package func declare(_ sends: [DeclaredSend], appID: Int32) async throws -> Int {
        try await breaker.run(within: .seconds(8)) {
            try await Registry.declareSends(sends, app: appID, in: pool, limits: limits)
        }
    }
}
