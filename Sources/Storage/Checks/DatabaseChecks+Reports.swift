import Postgres
import SQLFiles

/// Checks what bounds reports and the logins of dashboards.
extension DatabaseChecks {
    static func reportLimits(_ connection: Connection) async throws -> [CheckResult] {
        let abilities = try await connection.query(SQLFiles.checkReportLimits.text).map {
            try $0.decode(String.self, column: 0)
        }
        guard !abilities.isEmpty else {
            return [CheckResult("report_limits", .ok, "reports can only read")]
        }
        return [
            CheckResult(
                "report_limits", .warn, "reports can \(abilities.joined(separator: "; "))",
                advice:
                    "if no other application in this database needs it, run as a superuser: psql --dbname DATABASE --file sql/restrict_public.sql; a hosted PostgreSQL without a superuser can't prevent it; see docs/report-isolation.md"
            )
        ]
    }

    static func searchPath(_ connection: Connection) async throws -> [CheckResult] {
        let schemas = try await connection.query(SQLFiles.checkSearchPath.text).map {
            try $0.decode(String.self, String.self, Bool.self)
        }
        guard !schemas.isEmpty else {
            return [CheckResult("search_path", .ok, "only trusted roles can create where sessions look for names")]
        }
        let creators = schemas.map { "\($0.2 ? "every role" : $0.1) can create in schema \($0.0)" }
        return [
            CheckResult(
                "search_path", .warn,
                creators.joined(separator: "; ") + ": sessions of psql may call its functions instead of PostgreSQL's",
                advice:
                    "take that right from them: "
                    + schemas.map { "revoke create on schema \($0.0) from \($0.2 ? "public" : $0.1)" }
                    .joined(separator: "; ") + "; see docs/report-isolation.md")
        ]
    }

    static func reportLogins(_ connection: Connection) async throws -> [CheckResult] {
        let findings = try await connection.query(SQLFiles.checkReportLogins.text).map {
            try $0.decode(String.self, Bool.self, String.self)
        }
        guard !findings.isEmpty else {
            return [CheckResult("report_logins", .ok, "each can only read the reports of its app")]
        }
        return [
            CheckResult(
                "report_logins", findings.contains { $0.1 } ? .fail : .warn,
                findings.map { "\($0.0) \($0.2)" }.joined(separator: "; "),
                advice: "drop these logins, or take these rights from them, and run dashboards/grafana/role.sql again")
        ]
    }
}
