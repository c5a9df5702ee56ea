import Events
import Foundation
import LocalPostgres
import Logging
import Logs
import Postgres
import Spool
import Storage

/// The open database of a command: the one that the settings name, or the program's own cluster.
struct DatabaseSession: Sendable {
    let database: Database
    let conninfo: String
    /// The connection string for psql. It can contain a password.
    var address: String { cluster?.address ?? conninfo }
    /// The program's own cluster, or nil if the settings name a database.
    let cluster: LocalCluster?
    /// The limits for the number of names per app.
    let limits: NameLimits
    let logger: Logger

    var registry: Registry { Registry(pool: database.owner, limits: limits) }

    /// Opens the database, migrates it if that is permitted, and closes it after `body`.
    ///
    /// - Parameters:
    ///   - creating: Whether to create a cluster, or the schema of an empty database. Commands that only work on stored
    ///     data don't, so that a mistyped directory or database is an error.
    ///   - migrating: Whether to migrate a database that the settings name. The program's own is always migrated.
    ///   - output: Where log lines go, or nil for standard error.
    static func run<T: Sendable>(
        _ settings: Settings, defaultLevel: Logger.Level = .warning, creating: Bool = false,
        migrating: Bool = false, output: LogOutput? = nil, _ body: (DatabaseSession) async throws -> T
    ) async throws -> T {
        if settings.databaseURL == nil { try settings.giveUpPrivileges() }
        let logger = settings.logger(output, defaultLevel: defaultLevel)
        let cluster = try await openCluster(settings, creating: creating, logger)
        let conninfo = cluster?.conninfo ?? settings.databaseURL ?? ""
        let session = DatabaseSession(
            database: Database(conninfo: conninfo, replica: settings.reportsReplica, logger: logger),
            conninfo: conninfo, cluster: cluster, limits: settings.names, logger: logger)
        do {
            try await session.prepareSchema(
                requested: migrating, allowed: migrating || cluster != nil, creating: creating)
            let value = try await body(session)
            await session.close()
            return value
        } catch {
            await session.close()
            throw error
        }
    }

    private static func openCluster(
        _ settings: Settings, creating: Bool, _ logger: Logger
    ) async throws -> LocalCluster? {
        guard settings.databaseURL == nil else { return nil }
        let configuration = settings.cluster
        // If the directory belongs to another user, only its existence is visible.
        let exists = FileManager.default.fileExists(atPath: settings.dataDirectory + "/postgres")
        guard creating || exists || LocalCluster.detected(configuration) != nil else {
            throw MissingClusterError(directory: settings.absoluteDataDirectory)
        }
        return try await LocalCluster.open(configuration, logger: logger)
    }

    /// Migrates the program's own database, or an empty one. Any other is migrated only on request.
    ///
    /// - Parameters:
    ///   - requested: Whether to create missing partitions even if no migration is pending.
    ///   - allowed: Whether to migrate a database that isn't empty.
    ///   - creating: Whether to migrate an empty database.
    private func prepareSchema(requested: Bool, allowed: Bool, creating: Bool) async throws {
        var configuration = PostgresConfiguration(searchingOnlyPostgres: conninfo)
        configuration.statementTimeout = .zero
        configuration.replyTimeout = .seconds(3_600)
        let connection = try await ConnectionRescue(conninfo: conninfo, logger: logger).during {
            try await Connection.open(configuration, logger: logger)
        }
        let migrator = Migrator()
        let pending = try await migrator.pending(on: connection)
        if requested || !pending.isEmpty {
            let isEmpty = migrator.isEmpty(pending)
            guard allowed || isEmpty && creating else {
                throw isEmpty ? MigrationError.missing : MigrationError.pending(names: pending)
            }
            let names = try await migrator.run(on: connection).joined(separator: ", ")
            if !names.isEmpty { logger.notice("applied \(names)") }
        }
        await connection.close()
    }

    private func close() async {
        await database.shutdown()
        await cluster?.close()
    }
}

/// A command that works on stored data found no cluster in the data directory.
private struct MissingClusterError: Error, CustomStringConvertible {
    let directory: String

    var description: String {
        "there is no database URL, and no cluster in \(directory): name its directory with --data-dir if it is "
            + "elsewhere; `afterpush serve` creates one"
    }
}

extension Settings {
    /// The data directory as messages name it: a relative one means little to who works in several directories.
    var absoluteDataDirectory: String { URL(fileURLWithPath: dataDirectory).standardizedFileURL.path }

    /// The program's own cluster.
    var cluster: LocalCluster.Configuration {
        var configuration = LocalCluster.Configuration(dataDirectory: dataDirectory)
        configuration.binDirectory = postgresBin
        configuration.postgresUser = postgresUser
        configuration.reportAddress = postgresListen
        configuration.memory = postgresMemory
        return configuration
    }

    /// Makes the program that of the owner of the data or spool directory, if root started it and that is another user.
    ///
    /// - Throws: An error if somebody else than that user and root can replace one of the directories.
    func giveUpPrivileges() throws {
        try Privileges.giveUp(forOwnersOf: [dataDirectory, spoolDirectory], serverUser: postgresUser)
        if databaseURL == nil { try LocalCluster.requireSafety(cluster) }
        if spoolBytes > 0 { try Spool.requireSafety(of: spoolDirectory) }
    }

    /// The replica for reports, or nil.
    var reportsReplica: (conninfo: String, maxLag: Duration)? {
        reportsDatabaseURL.map { ($0, reportsMaxLag) }
    }

    /// The same settings with another database, and no replica.
    func using(_ conninfo: String) -> Settings {
        var settings = self
        settings.databaseURL = conninfo
        settings.reportsDatabaseURL = nil
        return settings
    }

    func logger(_ output: LogOutput? = nil, defaultLevel: Logger.Level) -> Logger {
        let output = output ?? .standardError(logFormat)
        var logger = Logger(label: "afterpush", factory: { LineLogHandler(label: $0, output: output) })
        logger.logLevel = logLevel ?? defaultLevel
        return logger
    }
}
