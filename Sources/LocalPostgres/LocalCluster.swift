import Foundation
package import Logging

/// The program's own PostgreSQL: made on first use, started and stopped with the program.
///
/// Several programs may use one cluster at the same time; the last to close stops it. A program that ends without
/// `close` leaves the server running, for the next one to adopt.
package actor LocalCluster {
    /// How to connect, as the cluster's superuser. Holds no secret: the socket's directory is the lock.
    package nonisolated let conninfo: String
    /// Whether this call made the cluster.
    package nonisolated let wasCreated: Bool
    /// Whether the server ran already.
    package nonisolated let wasRunning: Bool
    /// The directory that holds `postgres/` and `postgres.log`: the data directory, or one under /var/lib/afterpush.
    package nonisolated let directory: String

    private nonisolated let layout: ClusterLayout
    private let server: ClusterServer
    private let logger: Logger
    /// Shared, as long as this program uses the cluster.
    private var lock: FileLock?

    /// Makes the cluster if it is missing, starts it if it doesn't run, and waits until it answers.
    package static func open(_ configuration: Configuration, logger: Logger) async throws -> LocalCluster {
        let place = try await ClusterLocation.find(configuration, logger: logger)
        let layout = place.layout
        // One at a time: two programs that start together must not both run initdb, or stop what the other adopts.
        let opening = try await FileLock.take(
            layout.openingLock, exclusive: true, within: configuration.startTimeout)
        let lock = try await FileLock.take(layout.usersLock, exclusive: false, within: .seconds(10))
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
        self.directory = server.place.layout.base
    }

    /// The server's main process, while it runs.
    package nonisolated var postmasterPID: Int32? { Postmaster.running(in: self.layout.cluster)?.pid }

    package nonisolated var logFile: String { self.layout.log }

    /// Stops the server if no other program uses it; calling it again does nothing.
    package func close() async {
        guard let lock = self.lock else { return }
        self.lock = nil
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
