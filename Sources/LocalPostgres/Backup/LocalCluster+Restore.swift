package import Foundation
import Glibc
package import Logging

extension LocalCluster {
    /// A cluster that was restored, and the former one that it replaced.
    package struct Restored: Sendable {
        package let backup: BaseBackup
        /// The directory of the new cluster.
        package let directory: String
        /// The directory of the former cluster, or nil if there was none.
        package let former: String?
    }

    /// Restores a backup to a moment, as the cluster of a data directory.
    ///
    /// The new cluster is built and checked beside the old one. It gets its place by one rename, or changes places with
    /// the old one in one step. So a program that is killed at any point leaves the old state or the new one.
    ///
    /// - Parameters:
    ///   - replacing: Whether a cluster that is there is moved aside. Otherwise it is an error.
    ///   - others: Backup directories of the database in which the next backup notes where it is, besides that of the
    ///     backup, those where backups went on from there, and those that the former cluster comes from.
    ///   - finish: Completes the restored database, such as by erasing devices again, before it gets its place.
    package static func restore(
        _ stored: StoredBackup, to moment: Date?, _ configuration: Configuration, replacing: Bool,
        knowing others: [BackupDirectory] = [], logger: Logger, progress: @escaping BackupProgress.Handler,
        finish: @Sendable (_ conninfo: String) async throws -> Void
    ) async throws -> Restored {
        let place = try await ClusterLocation.find(configuration, logger: logger)
        let layout = place.layout
        let origin = stored.archive.directory
        let directories = [origin] + (try origin.successors()) + others
        let opening = try await FileLock.take(layout.openingLock, exclusive: true, within: .seconds(10))
        // Under the lock: another restore may have put a cluster there meanwhile.
        guard replacing || !layout.exists else { throw BackupError.clusterExists(directory: layout.cluster) }
        let users = try await Self.requireUnused(layout)
        let workplace = ClusterLocation(layout: layout.restoring, user: place.user)
        let restored: RestoredCluster
        do {
            restored = try await RestoredCluster.recover(
                stored, to: moment, in: workplace, configuration, logger: logger, progress: progress)
        } catch {
            // All but the log, which the error may name. It can have filled the disk of the cluster that is in use.
            try? await workplace.files.removeTree(workplace.layout.cluster)
            throw error
        }
        do {
            progress(.init(phase: "completing", bytes: stored.backup.bytes, total: nil))
            try Self.record(directories, replacing: layout, in: workplace)
            try await finish(restored.conninfo)
            try await restored.stop()
            if layout.exists {
                try await ClusterServer.find(place, configuration, logger: logger).stop()
            }
            let former = try Self.put(layout.restoring.cluster, in: place)
            try await restored.remove()
            return withExtendedLifetime((opening, users)) {
                Restored(backup: stored.backup, directory: layout.cluster, former: former)
            }
        } catch {
            try? await restored.remove()
            throw error
        }
    }

    /// Records in a restored cluster the backup directories that it comes from, and those of the cluster that it replaces.
    private static func record(
        _ directories: [BackupDirectory], replacing former: ClusterLayout, in place: ClusterLocation
    ) throws {
        var origins = BackupOrigins.recorded(in: place.layout)
        origins.database = directories.first?.database
        for directory in directories { origins.add(directory.path) }
        origins.add(BackupOrigins.read(former))
        try origins.write(to: place)
    }

    /// Restores a backup in a scratch directory, and removes it after `body`.
    package static func verify(
        _ stored: StoredBackup, to moment: Date?, _ configuration: Configuration, logger: Logger,
        progress: @escaping BackupProgress.Handler, _ body: @Sendable (_ conninfo: String) async throws -> Void
    ) async throws {
        let place = try await ClusterLocation.find(configuration, logger: logger)
        let scratch = ClusterLocation(layout: place.layout.verifying, user: place.user)
        let lock = try await FileLock.take(
            place.layout.base + "/verifying.lock", exclusive: true, within: .milliseconds(500))
        do {
            let restored = try await RestoredCluster.recover(
                stored, to: moment, in: scratch, configuration, logger: logger, progress: progress)
            progress(.init(phase: "checking", bytes: stored.backup.bytes, total: nil))
            try await body(restored.conninfo)
            try await restored.remove()
        } catch {
            try? await place.files.removeTree(scratch.layout.base)
            throw error
        }
        withExtendedLifetime(lock) {}
    }

    /// Returns the lock of all users of the cluster, or throws if a program uses it.
    static func requireUnused(_ layout: ClusterLayout) async throws -> FileLock {
        do {
            return try await FileLock.take(layout.usersLock, exclusive: true, within: .milliseconds(500))
        } catch LocalClusterError.locked {
            throw BackupError.clusterInUse(directory: layout.base)
        }
    }

    /// Makes a directory the cluster, and returns where the former cluster is now.
    static func put(_ new: String, in place: ClusterLocation, suffix: String = "before-restore") throws -> String? {
        let (layout, files) = (place.layout, place.files)
        defer { try? files.sync(layout.base) }
        guard layout.exists else {
            try files.rename(new, to: layout.cluster)
            return nil
        }
        // The new cluster first gets the name that the old one has afterwards, so that the exchange is the last step.
        let former = "\(layout.cluster).\(suffix)-\(BaseBackup.name(at: Date()))"
        try files.rename(new, to: former)
        if let reason = files.exchange(former, layout.cluster) {
            try files.rename(former, to: new)
            throw BackupError.noExchange(directory: layout.cluster, reason: reason)
        }
        return former
    }
}
