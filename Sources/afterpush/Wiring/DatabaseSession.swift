import Events
import Foundation
import LocalPostgres
import Logging
import Logs
import Postgres
import Storage

/// The database that a command works on: the one of the settings, or the program's own.
struct DatabaseSession: Sendable {
    let database: Database
    let conninfo: String
    /// Nil when the settings name a database.
    let cluster: LocalCluster?
    /// How many names an app may have.
    let limits: NameLimits
    let logger: Logger

    var registry: Registry { Registry(pool: database.owner, limits: limits) }

    /// Opens the database, brings its schema up to date where that is the program's to do, and closes it after `body`.
    ///
    /// - Parameter beginning: where there is no cluster yet, one is made. What only works on what is stored makes none of a
    ///   directory that was mistyped.
    static func run<T: Sendable>(
        _ settings: Settings, defaultLevel: Logger.Level = .warning, beginning: Bool = false, migrating: Bool = false,
        _ body: (DatabaseSession) async throws -> T
    ) async throws -> T {
        let output = LogOutput.standardError(settings.logFormat)
        var logger = Logger(label: "afterpush", factory: { LineLogHandler(label: $0, output: output) })
        logger.logLevel = settings.logLevel ?? defaultLevel
        let cluster = try await openCluster(settings, beginning: beginning, logger)
        let conninfo = cluster?.conninfo ?? settings.databaseURL ?? ""
        let session = DatabaseSession(
            database: Database(conninfo: conninfo, logger: logger), conninfo: conninfo, cluster: cluster,
            limits: settings.names, logger: logger)
        do {
            try await session.prepareSchema(asked: migrating, allowed: migrating || cluster != nil)
            let value = try await body(session)
            await session.close()
            return value
        } catch {
            await session.close()
            throw error
        }
    }

    private static func openCluster(
        _ settings: Settings, beginning: Bool, _ logger: Logger
    ) async throws -> LocalCluster? {
        guard settings.databaseURL == nil else { return nil }
        var configuration = LocalCluster.Configuration(dataDirectory: settings.dataDirectory)
        configuration.binDirectory = settings.postgresBin
        configuration.postgresUser = settings.postgresUser
        // Another user's directory only shows that it exists.
        let isThere = FileManager.default.fileExists(atPath: settings.dataDirectory + "/postgres")
        guard beginning || isThere || LocalCluster.sighting(configuration) != nil else {
            throw NothingStored(directory: settings.dataDirectory)
        }
        return try await LocalCluster.open(configuration, logger: logger)
    }

    /// A database that has nothing of ours yet is made ready; a team's own is upgraded only when it is asked for.
    ///
    /// - Parameter asked: then missing partitions are made as well, though no migration is pending.
    private func prepareSchema(asked: Bool, allowed: Bool) async throws {
        var configuration = PostgresConfiguration(conninfo: conninfo)
        configuration.statementTimeout = .zero
        configuration.replyTimeout = .seconds(3_600)
        let connection = try await Connection.open(configuration, logger: logger)
        let migrator = Migrator()
        let pending = try await migrator.pending(on: connection)
        if asked || !pending.isEmpty {
            guard allowed || migrator.isEmpty(pending) else {
                throw MigrationError.pending(names: pending)
            }
            for name in try await migrator.run(on: connection) { logger.notice("applied \(name)") }
        }
        await connection.close()
    }

    private func close() async {
        await database.shutdown()
        await cluster?.close()
    }
}

/// A command that works on what is stored was pointed at a directory without a cluster.
private struct NothingStored: Error, CustomStringConvertible {
    let directory: String

    var description: String {
        "there is no database URL, and no cluster in \(directory); `afterpush serve` makes one"
    }
}
