import Server
import Spool
import Storage

extension DatabaseSession {
    /// Returns the store of dashboard sessions. Short time limits keep requests from waiting for a database that doesn't
    /// respond.
    func sessionStore(_ breaker: CircuitBreaker, lifetime: Duration) -> SessionStore {
        let pool = database.ingest
        return SessionStore(
            lifetime: lifetime,
            begin: { hash, key in
                try await breaker.run(within: .seconds(4)) {
                    try await Registry.beginSession(hash, keyID: key, lifetime: lifetime, in: pool)
                }
            },
            find: { hash in
                try await breaker.run(within: .seconds(2)) {
                    try await Registry.findSession(hash, in: pool).map { Session(grant: $0.grant, endsAt: $0.endsAt) }
                }
            },
            end: { hash in
                try await breaker.run(within: .seconds(4)) { try await Registry.endSession(hash, in: pool) }
            })
    }
}
