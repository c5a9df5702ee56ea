import Foundation
import LocalPostgres
import Logging
import Postgres
import Spool
import Storage

extension DatabaseSession {
    /// Opens the spool, which keeps events while PostgreSQL is unavailable. Returns nil if it is disabled.
    func openSpool(_ settings: Settings) async throws -> Spool? {
        guard settings.spoolBytes > 0 else { return nil }
        var configuration = Spool.Configuration(directory: settings.spoolDirectory)
        configuration.capacity = settings.spoolBytes
        configuration.owner = try await databaseIdentifier()
        return try await Spool.open(configuration, logger: logger)
    }

    /// Reads the suppression list, and restores entries that the database has lost.
    func openSuppressionList(_ settings: Settings) async throws -> SuppressionListWorker {
        let owner = try await databaseIdentifier()
        // A restored data directory has none until its first `serve`, which opens its spool before.
        let hasSpool = settings.spoolBytes > 0 && FileManager.default.fileExists(atPath: settings.spoolDirectory)
        let file = hasSpool ? SuppressionFile(directory: settings.spoolDirectory, owner: owner) : nil
        let cluster = cluster
        let configured = Self.configuredBackups(settings, of: cluster, logger)
        let worker = SuppressionListWorker(
            pool: database.requests, restoring: database.background, file: file,
            backups: {
                guard let cluster else { return [] }
                let listed = cluster.listedDirectories
                let files = listed.map {
                    SuppressionFile(directory: $0.erasedDevices, owner: owner, user: cluster.serverUser)
                }
                // The disk of the configured one may have been mounted since.
                guard cluster.backupDirectory == nil,
                    let other = configured ?? Self.configuredBackups(settings, of: cluster),
                    !listed.contains(where: { $0.path == other.path })
                else { return files }
                return files + [SuppressionFile(directory: other.erasedDevices, owner: owner, user: other.owner)]
            },
            logger: logger)
        try await worker.refresh()
        return worker
    }

    /// Adds all erased devices to a list beside the backups. A list without entries is written, too, because a restore
    /// refuses to do without one.
    func writeSuppressionList(to file: SuppressionFile, _ settings: Settings) async throws {
        let worker = try await openSuppressionList(settings)
        do throws(SpoolError) {
            try await worker.write(to: file)
        } catch {
            throw IncompleteErasureList(reason: error)
        }
    }

    /// The backups that the settings name, if their list of erased devices may be of this database, which was restored or
    /// upgraded and has not been backed up since.
    private static func configuredBackups(
        _ settings: Settings, of cluster: LocalCluster?, _ logger: Logger? = nil
    ) -> BackupDirectory? {
        guard cluster != nil, let path = settings.backupDirectory else { return nil }
        let directory = BackupDirectory(path: path)
        guard FileManager.default.fileExists(atPath: directory.erasedDevices) else { return nil }
        do {
            try directory.requireSafety(settings.cluster)
            return directory
        } catch {
            logger?.error(
                "could not read the list of erased devices beside the backups", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Returns an identifier of the database that survives a restore and an upgrade.
    func databaseIdentifier() async throws -> String {
        let connection = try await Connection.open(
            PostgresConfiguration(searchingOnlyPostgres: conninfo), logger: logger)
        let identifier = try await Spool.owner(on: connection)
        await connection.close()
        return identifier
    }
}

/// The list of erased devices beside the backups could not be completed.
struct IncompleteErasureList: Error, CustomStringConvertible {
    let reason: SpoolError

    var description: String {
        "the backup is complete, but a restore may bring erased devices back: \(reason); repair that, and back up again"
    }
}
