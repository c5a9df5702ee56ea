/// Where the database is, and how long to wait for it.
///
/// | property | meaning |
/// | --- | --- |
/// | `conninfo` | `postgres://...` or `host=... dbname=...`; a secret |
/// | `applicationName` | as seen in `pg_stat_activity`, unless `conninfo` names one |
/// | `role` | `set role` after connecting |
/// | `sessionSettings` | further settings, by name |
/// | `usesSessionState` | false behind a pooler in transaction mode |
/// | `preparedStatements` | kept for each connection; the one not used for longest makes room |
/// | `connectTimeout` | for each host of `conninfo` |
/// | `statementTimeout`, `lockTimeout`, `idleInTransactionTimeout` | enforced by the server; zero is none |
/// | `tcpUserTimeout` | unacknowledged data for so long ends the connection |
/// | `replyTimeout` | no answer for so long closes the connection; let it be longer than `statementTimeout` |
package struct PostgresConfiguration: Sendable {
    package var conninfo: String
    package var applicationName = "afterpush"
    package var role: String?
    package var sessionSettings: [String: String] = [:]
    /// Whether settings and prepared statements may live as long as the connection.
    ///
    /// When false nothing outlives a transaction: statements are never prepared, and every transaction begins by
    /// setting what it needs, a single statement being wrapped in one if there is anything to set.
    package var usesSessionState = true
    package var preparedStatements = 200
    package var connectTimeout: Duration = .seconds(5)
    package var statementTimeout: Duration = .seconds(10)
    package var lockTimeout: Duration = .seconds(5)
    package var idleInTransactionTimeout: Duration = .seconds(30)
    package var tcpUserTimeout: Duration = .seconds(10)
    package var replyTimeout: Duration = .seconds(15)

    package init(conninfo: String) {
        self.conninfo = conninfo
    }

    /// What every session or transaction runs under, `role` last: from there on privileges are the role's.
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
}

extension Duration {
    /// Whole milliseconds, rounded up, so that a short timeout never becomes "none".
    var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
