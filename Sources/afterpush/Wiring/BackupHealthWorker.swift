import Executors
import Foundation
import Instruments
import LocalPostgres
import Logging
import ServiceLifecycle
import Synchronization

/// Looks every ten seconds at the backups and the archive of the program's own cluster, for `/metrics`.
actor BackupHealthWorker: Service {
    private struct Reading {
        var archive: ArchiveHealth?
        var failures: Int?
        /// When the newest backup was complete, or nil without a backup.
        var backup: Date?
        let at: ContinuousClock.Instant
    }

    private let configuration: LocalCluster.Configuration
    private let logger: Logger
    // A backup directory on a network can block.
    private let executor = QueueExecutor(label: "backup health")
    private var failures = ArchiveFailures()
    private nonisolated let latest = Mutex<Reading?>(nil)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ configuration: LocalCluster.Configuration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.look()
                try? await Task.sleep(for: .seconds(10))
            }
        }
    }

    private func look() async {
        guard let cluster = LocalCluster.detected(configuration), cluster.backups != nil else {
            return latest.withLock { $0 = nil }
        }
        var reading = Reading(backup: cluster.currentBackups.last?.backup.endedAt, at: .now)
        do {
            let health = try await ArchiveHealth.read(cluster.conninfo, logger: logger)
            reading.archive = health
            reading.failures = failures.count(health)
        } catch {
            logger.debug("the archive was not checked", metadata: ["error": "\(error)"])
        }
        latest.withLock { $0 = reading }
    }

    /// The metrics of the last look; none for a cluster that is not backed up.
    nonisolated var families: [MetricFamily] {
        guard let reading = latest.withLock({ $0 }) else { return [] }
        let since = reading.at.duration(to: .now) / .seconds(1)
        let archive = since < 60 ? reading.archive : nil
        return [
            .gauge(
                "afterpush_backup_age_seconds", "Age of the newest complete backup of the program's own cluster.",
                reading.backup.map { max(0, Date().timeIntervalSince($0)) }),
            .gauge(
                "afterpush_archive_failures",
                "Failed attempts to archive a file of the cluster's log since the last success.",
                archive == nil ? nil : reading.failures.map(Double.init)),
            .gauge(
                "afterpush_archive_age_seconds", "Time since a file of the cluster's log was archived.",
                archive?.age.map { $0 + since }),
            .gauge(
                "afterpush_archive_waiting_files", "Files of the cluster's log that are not archived yet.",
                archive.map { Double($0.waiting) }),
        ]
    }
}
