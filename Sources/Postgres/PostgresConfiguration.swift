/// The database's address, the session's settings and the time limits.
///
/// | property | meaning |
/// | --- | --- |
/// | `conninfo` | `postgres://...` or `host=... dbname=...`; a secret |
/// | `applicationName` | the name in `pg_stat_activity`, unless `conninfo` has one |
/// | `role` | the role to set after connecting |
/// | `sessionSettings` | additional settings, by name |
/// | `preparedStatements` | the maximum for each connection; the least recently used one is replaced |
/// | `connectTimeout` | the time limit for each host; `nil` is `connect_timeout` of `conninfo`, or else 5 seconds |
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
    package var connectTimeout: Duration?
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
            "bytea_output": "hex", "extra_float_digits": "1", "row_security": "on",
            "statement_timeout": String(self.statementTimeout.milliseconds),
            "lock_timeout": String(self.lockTimeout.milliseconds),
            "idle_in_transaction_session_timeout": String(self.idleInTransactionTimeout.milliseconds),
        ]
        settings.merge(self.sessionSettings) { _, own in own }
        let sorted = settings.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        return sorted + (self.role.map { [(name: "role", value: $0)] } ?? [])
    }

    /// The expressions that apply the settings, in their order, for the session or for one transaction that has begun.
    ///
    /// Every name has its schema, because the search path can still be that of the login. A commit that does not wait for
    /// the disk could lose what was acknowledged, so `synchronous_commit` is on if the login, the database or another
    /// client of a pooler has turned it off. `standard_conforming_strings` is on as well, because the patterns in the SQL
    /// functions mean something else without it.
    ///
    /// - Parameter isLocal: the expression that says whether they hold only for the transaction.
    func assignments(isLocal: String) -> [String] {
        let settings = self.settings.map { setting in
            // The default comes too late for a transaction.
            let name =
                isLocal == "true" && setting.name == "default_transaction_read_only"
                ? "transaction_read_only" : setting.name
            return Self.assignment(name, SQLText.literal(setting.value), isLocal)
        }
        let commit = "pg_catalog.current_setting('synchronous_commit')"
        let waits = "case when \(commit) operator(pg_catalog.=) 'off' then 'on' else \(commit) end"
        return [
            Self.assignment("synchronous_commit", waits, isLocal),
            Self.assignment("standard_conforming_strings", "'on'", isLocal),
        ] + settings
    }

    static func assignment(_ name: String, _ value: String, _ isLocal: String) -> String {
        "pg_catalog.set_config(\(SQLText.literal(name)), \(value), \(isLocal))"
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded up, because 0 would mean no timeout.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
