import Foundation
package import Logging

/// A PostgreSQL cluster that the program manages: it is created on first use and runs as long as the program.
///
/// Several programs can use a cluster at the same time; the last one to close it stops the server. A program that ends
/// without `close` leaves the server running, and the next program uses it.
package actor LocalCluster {
    /// The connection string of the cluster's superuser.
    ///
    /// It contains no secret; the permissions of the socket's directory protect the server.
    package nonisolated let conninfo: String
    /// The same for a user of psql, whose environment may have settings of libpq.
    package nonisolated let address: String
    /// Whether `open` created the cluster.
    package nonisolated let wasCreated: Bool
    /// Whether the server was already running.
    package nonisolated let wasRunning: Bool
    /// The directory of `postgres/` and `postgres.log`: the data directory, or one under /var/lib/afterpush.
    package nonisolated let directory: String

    private nonisolated let layout: ClusterLayout
    nonisolated let server: ClusterServer
    nonisolated let logger: Logger
    /// The shared lock on the list of users, or `nil` after `close`.
    private var lock: FileLock?
    /// Keeps the server's log small until `close`.
    private let logRotation: Task<Void, Never>

    /// Creates the cluster if it is missing, starts the server if it isn't running, and waits until it responds.
    package static func open(_ configuration: Configuration, logger: Logger) async throws -> LocalCluster {
        let place = try await ClusterLocation.find(configuration, logger: logger)
        let layout = place.layout
        // Two programs that start together must not both run initdb, or stop a server that the other has begun to use.
        let opening = try await FileLock.take(
            layout.openingLock, exclusive: true, within: configuration.startTimeout)
        let lock = try await FileLock.take(layout.usersLock, exclusive: false, within: .seconds(10))
        // Only the holder of the lock upgrades, so an upgrade that is there was killed.
        try await InterruptedUpgrade.undo(in: place)
        let server = try await ClusterServer.find(place, configuration, logger: logger)
        let wasCreated = try await server.createIfMissing()
        let wasRunning = try await server.startUnlessRunning()
        try await server.ensureDatabase()
        return withExtendedLifetime(opening) {
            LocalCluster(server, lock: lock, wasCreated: wasCreated, wasRunning: wasRunning, logger: logger)
        }
    }

    private init(_ server: ClusterServer, lock: FileLock, wasCreated: Bool, wasRunning: Bool, logger: Logger) {
        self.server = server
        self.layout = server.place.layout
        self.lock = lock
        self.wasCreated = wasCreated
        self.wasRunning = wasRunning
        self.logger = logger
        self.conninfo = server.conninfo
        self.address = ClusterServer.address(self.layout, database: server.configuration.databaseName)
        self.directory = server.place.layout.base
        self.logRotation = ServerLog(server).rotation(logger: logger)
    }

    /// The process ID of the server's postmaster, or `nil` if the server isn't running.
    package nonisolated var postmasterPID: Int32? { Postmaster.running(in: self.layout.cluster)?.pid }

    package nonisolated var logFile: String { self.layout.log }

    /// Stops the server if no other program uses it; a second call does nothing.
    package func close() async {
        guard let lock = self.lock else { return }
        self.lock = nil
        self.logRotation.cancel()
        do {
            let opening = try await FileLock.take(self.layout.openingLock, exclusive: true, within: .seconds(30))
            guard lock.becomeExclusive() else { return }
            try await self.server.stop()
            withExtendedLifetime(opening) {}
        } catch {
            self.logger.warning("PostgreSQL was left running", metadata: ["error": "\(error)"])
        }
        withExtendedLifetime(lock) {}
    }
}

extension LocalCluster {
    /// The cluster's directory, programs, user and limits.
    ///
    /// | property | setting | meaning |
    /// | --- | --- | --- |
    /// | `dataDirectory` | `AFTERPUSH_DATA_DIR` | the directory of `postgres/`, `socket/`, `postgres.log` |
    /// | `binDirectory` | `AFTERPUSH_POSTGRES_BIN` | the directories of initdb; default: Debian's newest, or PATH |
    /// | `reportAddress` | `AFTERPUSH_POSTGRES_LISTEN` | the loopback address for report logins; default: none |
    /// | `memory` | `AFTERPUSH_POSTGRES_MEMORY` | the memory in bytes that the server shares out; default: the machine's |
    /// | `postgresUser` | `AFTERPUSH_POSTGRES_USER` | the server's user for root; default: `postgres` or `nobody` |
    package struct Configuration: Sendable {
        package var dataDirectory = ".afterpush"
        package var databaseName = "afterpush"
        package var binDirectory: String?
        package var reportAddress: String?
        package var memory: Int?
        package var postgresUser: String?
        package var maxConnections = 100
        /// The time limit for a start, including crash recovery.
        package var startTimeout: Duration = .seconds(300)
        /// Whether the cluster is for tests: nothing is flushed to disk, so a crash of the machine loses its data.
        ///
        /// This is decided when the cluster is created and can't be changed.
        package var throwaway = false
        /// The size in bytes from which the server's log is rotated, and the time between two checks of it.
        package var logLimit = 20 << 20
        package var logCheckInterval: Duration = .seconds(10)
        /// The recovery with which the server starts, for a cluster that is being restored.
        var recovery: RecoveryTarget?

        package init(dataDirectory: String = ".afterpush") {
            self.dataDirectory = dataDirectory
        }
    }
}

extension LocalCluster {
    /// A cluster that was found without creating, starting or locking anything.
    package struct DetectedCluster: Sendable {
        /// The directory of `postgres/` and `postgres.log`.
        package let directory: String
        package let conninfo: String
        package let isRunning: Bool
        /// The major version of PostgreSQL that made it.
        package let version: String
        /// The directory of its backups, or nil if it is not backed up.
        package let backups: BackupDirectory?
        /// The backup directories that don't say yet where backups go now, and the one that they go to.
        package let unnoted: [String]
        /// The backups since the cluster's log has been archived without a break, oldest first.
        package let currentBackups: [StoredBackup]
        /// The directories of restores, verifications and upgrades that are running or were interrupted.
        package let workplaces: [String]
        /// The clusters that a restore has moved aside.
        package let former: [String]
    }

    /// Returns the cluster of a data directory, or `nil` if the directory has no cluster.
    package static func detected(_ configuration: Configuration) -> DetectedCluster? {
        let path = URL(fileURLWithPath: configuration.dataDirectory).standardizedFileURL.path
        let near = ClusterLayout(base: PrivateFiles.resolved(path))
        guard let layout = [near, ClusterLayout.fallback(for: near.base)].first(where: \.exists) else { return nil }
        let archive = WALArchive.named(inScript: layout.archiveScript)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: layout.base)) ?? []
        let workplaces = [layout.restoring.base, layout.verifying.base, layout.upgrading.base]
        return DetectedCluster(
            directory: layout.base, conninfo: ClusterServer.conninfo(layout, database: configuration.databaseName),
            isRunning: Postmaster.running(in: layout.cluster) != nil, version: ClusterUpgrade.version(of: layout),
            backups: archive?.directory, unnoted: BackupOrigins.recorded(in: layout).unnoted,
            currentBackups: archive.map(BackupDirectory.backups) ?? [],
            workplaces: workplaces.filter { FileManager.default.fileExists(atPath: $0) },
            former: names.filter { $0.hasPrefix("\(ClusterLayout.clusterName).before-") }.sorted())
    }

    /// Requires that nobody but the program's user, the server's and root can change or replace the data directory.
    package static func requireSafety(_ configuration: Configuration) throws {
        try ClusterLocation.requireSafety(of: configuration)
    }

    /// Returns the major versions of PostgreSQL that are installed.
    package static func installedVersions(_ configuration: Configuration) async throws -> [String] {
        try await PostgresBinaries.installed(configured: configuration.binDirectory, alsoDebian: true).map(\.version)
    }
}
