package import Logging
import Postgres
import SQLFiles

/// Keeps dashboards' logins from shutting all others out of the database while no collector is connected to it.
///
/// New connections to a database wait behind a session that waits for a lock of it, which it would not get, so it can't be
/// ended from there. It is seen, and can be ended, from another database of the same server.
package struct ConnectionRescue: Sendable {
    private let conninfo: String
    private let logger: Logger
    /// Connecting usually takes milliseconds.
    private static let grace = Duration.seconds(1)
    private static let pause = Duration.milliseconds(100)
    /// Databases that a server usually has.
    private static let otherDatabases = ["postgres", "template1"]

    /// Creates a rescue.
    ///
    /// - Parameter conninfo: The connection string of the database.
    package init(conninfo: String, logger: Logger) {
        self.conninfo = conninfo
        self.logger = logger
    }

    /// Calls a function that connects, and while that takes more than a second, ends sessions that keep it waiting.
    package func during<Value: Sendable>(_ connect: () async throws -> Value) async throws -> Value {
        let rescue = Task { await self.run() }
        defer { rescue.cancel() }
        return try await connect()
    }

    /// Ends sessions until the task is cancelled. If no other database can be used either, it does nothing.
    private func run() async {
        try? await Task.sleep(for: Self.grace)
        for database in Self.otherDatabases where !Task.isCancelled {
            guard let connection = try? await open(database) else { continue }
            while !Task.isCancelled, await endSessions(connection) { try? await Task.sleep(for: Self.pause) }
            await connection.close()
        }
    }

    private func open(_ database: String) async throws -> Connection {
        var configuration = PostgresConfiguration(
            searchingOnlyPostgres: try ConnectionString.conninfo(conninfo, inDatabase: database))
        configuration.role = "afterpush_owner"
        configuration.connectTimeout = .seconds(2)
        configuration.statementTimeout = .seconds(2)
        configuration.replyTimeout = .seconds(3)
        return try await Connection.open(configuration, logger: logger)
    }

    /// Returns false if the connection can't be used.
    private func endSessions(_ connection: Connection) async -> Bool {
        do {
            for row in try await connection.query(SQLFiles.endBlockingSessions.text) {
                let login = try row.decode(String.self)
                logger.warning(
                    "asked PostgreSQL to end a session of a report login, which kept others from connecting",
                    metadata: ["login": "\(login)"])
            }
            return true
        } catch {
            logger.debug("could not end sessions of report logins", metadata: ["error": "\(error)"])
            return false
        }
    }
}
