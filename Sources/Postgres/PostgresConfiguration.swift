/// The database's address, the session's settings and the time limits.
///
/// | property | meaning |
/// | --- | --- |
/// | `conninfo` | `postgres://...` or `host=... dbname=...`; a secret |
/// | `applicationName` | the name in `pg_stat_activity`, unless `conninfo` has one |
/// | `role` | the role to set after connecting |
/// | `sessionSettings` | additional settings, by name |
/// | `preparedStatements` | the maximum for each connection; the least recently used one is replaced |
/// | `connectTimeout` | the time limit for each host of `conninfo` |
/// | `statementTimeout`, `lockTimeout`, `idleInTransactionTimeout` | enforced by the server; zero means no limit |
/// | `tcpUserTimeout` | the time after which unacknowledged data ends the connection |
/// | `replyTimeout` | the time after which a missing reply closes the connection; longer than `statementTimeout` |
/// | `countsUnansweredStatements` | whether such a connection keeps its place in the pool until the server replies |
package struct PostgresConfiguration: Sendable {
    package var conninfo: String
    package var applicationName = "afterpush"
    package var role: String?
    package var sessionSettings: [String: String] = [:]
    package var preparedStatements = 200
    package var connectTimeout: Duration = .seconds(5)
    package var statementTimeout: Duration = .seconds(10)
    package var lockTimeout: Duration = .seconds(5)
    package var idleInTransactionTimeout: Duration = .seconds(30)
    package var tcpUserTimeout: Duration = .seconds(10)
    package var replyTimeout: Duration = .seconds(15)
    package var countsUnansweredStatements = false

    package init(conninfo: String) {
        self.conninfo = conninfo
    }

    /// The settings of a session. `role` is last, because it changes the privileges.
    var settings: [(name: String, value: String)] {
        var settings = [
            "TimeZone": "UTC", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres", "client_encoding": "UTF8",
            "bytea_output": "hex", "extra_float_digits": "1",
            "statement_timeout": String(self.statementTimeout.milliseconds),
            "lock_timeout": String(self.lockTimeout.milliseconds),
            "idle_in_transaction_session_timeout": String(self.idleInTransactionTimeout.milliseconds),
        ]
        settings.merge(self.sessionSettings) { _, own in own }
        let sorted = settings.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return sorted + (self.role.map { [(name: "role", value: $0)] } ?? [])
    }

    /// The same settings for one transaction that has begun, for which a default comes too late.
    var transactionSettings: [(name: String, value: String)] {
        self.settings.map {
            (name: $0.name == "default_transaction_read_only" ? "transaction_read_only" : $0.name, value: $0.value)
        }
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded up, because 0 would mean no timeout.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
