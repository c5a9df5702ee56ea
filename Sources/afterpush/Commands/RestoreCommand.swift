import AfterpushWire
import ArgumentParser
import Foundation
import LocalPostgres
import Logging
import Logs
import Spool
import Storage

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores a backup of the program's own cluster, to any moment since the backup.",
        discussion: """
            The cluster is built and checked beside the data directory's own, and takes its place in one step. Devices \
            that were erased after the moment are erased again.

            Example:
              afterpush restore --dir /mnt/backup --to 2026-11-25T10:45:00Z --data-dir new
            """)

    @OptionGroup var place: BackupCommand.BackupPlace
    @Option(help: "The moment, such as 2026-11-25T10:45:00Z, or latest: everything that was archived.")
    var to = "latest"
    @Option(help: "The backup to start from; by default the newest that is old enough.") var backup: String?
    @Flag(help: "Move the cluster of the data directory aside. It must not be in use.") var replace = false
    @OptionGroup var options: SettingsOptions

    func validate() throws { _ = try BackupMoment.date(to) }

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            guard settings.databaseURL == nil else {
                throw ValidationError("this restores the program's own cluster: name it with --data-dir alone")
            }
            try settings.giveUpPrivileges()
            let start = ContinuousClock.now
            let moment = try BackupMoment.date(to)
            let directory = try place.directory(settings)
            let stored = try directory.find(name: backup, until: moment)
            let directories = [directory] + (try directory.successors())
            let others = otherDirectories(than: directories, settings)
            for other in Array(directories.dropFirst()) + others { try other.requireSafety(settings.cluster) }
            let bar = BackupProgressBar()
            defer { bar.finish() }
            let logger = settings.logger(defaultLevel: .warning)
            let restored = try await LocalCluster.restore(
                stored, to: moment, settings.cluster, replacing: replace, knowing: others, logger: logger,
                progress: bar.update
            ) { conninfo in
                try await DatabaseSession.run(settings.using(conninfo), migrating: true) { session in
                    try await session.eraseAgain(from: directories, and: others, settings)
                }
            }
            bar.finish()
            Terminal.print(cells: restored.backup.name, to, restored.directory)
            if let former = restored.former { Terminal.note("afterpush: the former cluster is in \(former)") }
            Terminal.note("afterpush: restored after \(seconds(since: start)) s; back it up again")
            Terminal.note(
                "afterpush: keys and links that were revoked after that moment are valid again; revoke them again")
            noteSpool(settings)
        }
    }

    /// Returns the backup directories of the same database that the settings and the cluster of the data directory name,
    /// if they are there. The cluster may not have noted in the others that its backups went on there.
    private func otherDirectories(than directories: [BackupDirectory], _ settings: Settings) -> [BackupDirectory] {
        let configured = settings.backupDirectory.map { [$0] } ?? []
        let cluster = LocalCluster.detected(settings.cluster)
        let known = (cluster?.unnoted ?? []) + (cluster?.backups.map { [$0.path] } ?? [])
        var others: [BackupDirectory] = []
        for other in (configured + known).map({ BackupDirectory(path: $0) })
        where !(directories + others).contains(where: { $0.path == other.path }) {
            guard let database = other.database else {
                Terminal.note(
                    "afterpush: the settings or the cluster name \(other.path) for backups, but there are none: devices "
                        + "that are only on its list are not erased again; if its disk isn't mounted, mount it, and restore again"
                )
                continue
            }
            guard database == directories.first?.database else { continue }
            others.append(other)
        }
        return others
    }

    /// Says what the collector's spool has that the restored database doesn't.
    private func noteSpool(_ settings: Settings) {
        do throws(SpoolContents.Unreadable) {
            guard let contents = try SpoolContents(directory: settings.spoolDirectory), contents.events > 0 else {
                return
            }
            let waiting = contents.events == 1 ? "1 event waits" : "\(contents.events) events wait"
            Terminal.note(
                "afterpush: \(waiting) in \(settings.spoolDirectory); serve stores what is there when it starts")
        } catch {
            Terminal.note("afterpush: \(error.description)")
        }
    }
}

/// A moment to restore to, as a user gives it.
enum BackupMoment {
    /// Returns the moment, or nil for `latest`.
    static func date(_ text: String) throws -> Date? {
        if text == "latest" { return nil }
        guard let moment = AfterpushWire.Timestamp(text) else {
            throw ValidationError("--to must be latest, or a moment such as 2026-11-25T10:45:00Z")
        }
        return Date(timeIntervalSince1970: Double(moment.microseconds) / 1_000_000)
    }
}

extension DatabaseSession {
    /// Suppresses and erases the devices that are on a list beside the backups, or beside the data directory's spool,
    /// and not in this database.
    ///
    /// - Parameter others: Directories that need not have a list.
    func eraseAgain(
        from directories: [BackupDirectory], and others: [BackupDirectory], _ settings: Settings
    ) async throws {
        let owner = try await databaseIdentifier()
        func file(_ directory: BackupDirectory) -> SuppressionFile {
            SuppressionFile(directory: directory.erasedDevices, owner: owner, user: directory.owner)
        }
        let own = SuppressionFile(directory: settings.spoolDirectory, owner: owner)
        for list in directories.map(file) + (others.map(file) + [own]).filter(\.exists) {
            try list.requireWhole()
            let worker = SuppressionListWorker(
                pool: database.requests, restoring: database.background, file: list, logger: logger)
            try await worker.refresh()
        }
        while true {
            switch try await eraser.step() {
            case .idle: return
            case .search: try await eraser.search()
            case .working: break
            case .busy, .waiting:
                try await mergeOnce()
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
