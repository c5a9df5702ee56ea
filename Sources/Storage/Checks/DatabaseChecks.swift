import Foundation
package import Logging
import Postgres
import SQLFiles

/// Checks a database as an operator would, without changing it.
package struct DatabaseChecks: Sendable {
    private let conninfo: String
    private let logger: Logger
    /// The number of seconds after which an open transaction is reported.
    private let transactionLimit: Double
    private let migrator = Migrator()

    /// Creates the checks of a database.
    ///
    /// - Parameter transactionLimit: The number of seconds after which an open transaction causes a warning.
    package init(conninfo: String, transactionLimit: Double = 300, logger: Logger) {
        self.conninfo = conninfo
        self.transactionLimit = transactionLimit
        self.logger = logger
    }

    /// Runs all checks and returns their results.
    ///
    /// - Parameter address: The database's address without secrets, for the output.
    package func findings(address: String) async -> [CheckResult] {
        let start = ContinuousClock.now
        let connection: Connection
        do {
            connection = try await open(role: nil)
        } catch {
            return [
                CheckResult(
                    "database", .fail, "\(address) can't be reached: \(error)",
                    advice: "start it, or correct --database-url; the other checks of the database were skipped")
            ]
        }
        let milliseconds = Int(start.duration(to: .now) / .milliseconds(1))
        let way = await connection.isPooled ? ", through a connection pooler" : ""
        var findings = [CheckResult("database", .ok, "\(address) answers, connected in \(milliseconds) ms\(way)")]
        findings += await check("server") { try await Self.server(connection) }
        findings += await check("roles") { try await Self.roles(connection) }
        findings += await check("migrations") { try await schema(connection) }
        findings += await check("citus") { try await Self.citus(connection) }
        findings += await check("report_limits") { try await Self.reportLimits(connection) }
        findings += await check("report_logins") { try await Self.reportLogins(connection) }
        findings += await check("search_path") { try await Self.searchPath(connection) }
        findings += await check("transactions") { try await Self.transactions(connection, transactionLimit) }
        findings += await check("worker") { try await Self.worker(connection) }
        await connection.close()
        findings += await check("rollups") { try await asWorker(Self.rollups) }
        findings += await check("partitions") { try await asWorker(Self.partitions) }
        return findings
    }

    /// Runs a check; if it throws, returns the error as its result, so that the other checks still run.
    private func check(_ name: String, _ body: () async throws -> [CheckResult]) async -> [CheckResult] {
        do {
            return try await body()
        } catch {
            return [
                CheckResult(
                    name, .fail, "not checked: \(error)", advice: "fix the failures above, then run this again")
            ]
        }
    }

    private func open(role: String?) async throws -> Connection {
        var configuration = PostgresConfiguration(searchingOnlyPostgres: conninfo)
        configuration.applicationName = "afterpush doctor"
        configuration.role = role
        configuration.sessionSettings["default_transaction_read_only"] = "on"
        return try await Connection.open(configuration, logger: logger)
    }

    private func asWorker(_ body: (Connection) async throws -> [CheckResult]) async throws -> [CheckResult] {
        let connection = try await open(role: "afterpush_worker")
        do {
            let findings = try await body(connection)
            await connection.close()
            return findings
        } catch {
            await connection.close()
            throw error
        }
    }

    private func schema(_ connection: Connection) async throws -> [CheckResult] {
        do {
            let pending = try await migrator.pending(on: connection)
            guard pending.isEmpty else {
                return [
                    CheckResult(
                        "migrations", .fail, "\(pending.count) not applied: \(pending.joined(separator: ", "))",
                        advice: "run 'afterpush migrate'")
                ]
            }
            return [CheckResult("migrations", .ok, "all are applied and unchanged")]
        } catch let error as MigrationError {
            let advice =
                switch error {
                case .edited: "run the version that this database was made with, or move its data to a new database"
                case .unreleased: "export its events, make a new database, and import them there"
                case .newer: "run the newer version here as well"
                case .missing, .pending: "run 'afterpush migrate'"
                }
            return [CheckResult("migrations", .fail, "\(error)", advice: advice)]
        }
    }
}
