import AfterpushWire
package import Declarations
package import Events
package import Postgres
import SQLFiles
package import Spool

extension Registry {
    /// Declares sends and returns the number of new ones; a send with a known id changes nothing.
    ///
    /// - Parameters:
    ///   - pool: The pool of the ingest role.
    ///   - limits: The limits of undeclared names.
    /// - Throws: `DeclarationError` if a limit is exceeded; then no send is declared.
    package static func declareSends(
        _ sends: [DeclaredSend], app id: Int32, in pool: ConnectionPool, limits: NameLimits = NameLimits()
    ) async throws -> Int {
        var seen: Set<ReferencedName> = []
        let names = sends.flatMap { $0.statedNames(ofApp: id) }.filter { seen.insert($0).inserted }
        try DeclaredSend.refuse(
            sends, ofApp: id, stating: try await NameReservation().reserve(names, limits, of: id, in: pool), limits)
        return try await pool.withConnection(of: id) { connection in
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

/// A store of declared sends in the database. If the database doesn't respond, a call fails within eight seconds.
package struct PostgresSendStore: SendStore {
    private let pool: ConnectionPool
    private let breaker: CircuitBreaker
    private let limits: NameLimits

    /// Creates a store.
    ///
    /// - Parameters:
    ///   - pool: The pool of the ingest role.
    ///   - limits: The limits of undeclared names.
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
