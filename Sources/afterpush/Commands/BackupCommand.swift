import ArgumentParser
import Foundation
import LocalPostgres
import Logging
import Storage

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Backs up the program's own cluster while it runs, and lists and removes backups.",
        discussion: """
            The first backup turns on the archive of the write-ahead log, which from then on allows a restore to any \
            moment. `serve` keeps the archive up to date.

            Example:
              afterpush backup --dir /mnt/backup --keep 7
              afterpush backup list --dir /mnt/backup
            """,
        subcommands: [Take.self, List.self, Verify.self, Prune.self, Forget.self],
        defaultSubcommand: Take.self)

    struct Take: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Takes a base backup, verifies it, and removes backups that have expired.",
            discussion: "Example:\n  afterpush backup --dir /mnt/backup --keep 7")

        @OptionGroup var place: BackupPlace
        @OptionGroup var retention: RetentionOptions
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let settings = try await Settings(options)
                let directory = try place.directory(settings)
                try await DatabaseSession.run(settings) { session in
                    let cluster = try session.ownCluster()
                    let start = ContinuousClock.now
                    let bar = BackupProgressBar()
                    defer { bar.finish() }
                    let database = try await session.databaseIdentifier()
                    let erased = SuppressionFile(
                        directory: directory.erasedDevices, owner: database, user: cluster.serverUser)
                    let stored = try await cluster.backUp(
                        to: directory, database: database, progress: bar.update,
                        beforeMoving: { try await session.writeSuppressionList(to: erased, settings) })
                    bar.finish()
                    let backup = stored.backup
                    Terminal.print(cells: backup.name, "\(backup.bytes >> 20) MiB", stored.directory)
                    Terminal.note("afterpush: complete and verified after \(seconds(since: start)) s")
                    // The devices that were erased before the first backup; `serve` adds the later ones.
                    try await session.writeSuppressionList(to: erased, settings)
                    try cluster.giveErasedDevices(in: directory)
                }
                try await retention.apply(directory)
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the complete backups, with the moments to which each can be restored.",
            discussion: "Example:\n  afterpush backup list --dir /mnt/backup")

        @OptionGroup var place: BackupPlace
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let directory = try place.directory(try await Settings(options))
                let backups = directory.backups()
                for stored in backups {
                    let backup = stored.backup
                    let until = stored.restorableUntil.formatted(.iso8601)
                    let missing = stored.missingFiles
                    Terminal.print(
                        cells: backup.name, "\(backup.endedAt.formatted(.iso8601)) to \(until)",
                        "PostgreSQL \(backup.postgres)", "\(backup.bytes >> 20) MiB",
                        missing.isEmpty ? "complete" : "\(missing.count) files of the log are missing")
                }
                Terminal.note("afterpush: \(backups.count) backups in \(directory.path)")
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Restores a backup into a scratch cluster, verifies its rollups, and removes the cluster.",
            discussion: "Example:\n  afterpush backup verify --dir /mnt/backup")

        @OptionGroup var place: BackupPlace
        @Option(help: "The moment to restore to, such as 2026-11-25T10:45:00Z, or latest.") var to = "latest"
        @Argument(help: "The backup; by default the newest that is old enough.") var backup: String?
        @OptionGroup var options: SettingsOptions

        func validate() throws { _ = try BackupMoment.date(to) }

        func run() async throws {
            try await CommandRunner.run {
                let settings = try await Settings(options)
                let moment = try BackupMoment.date(to)
                let stored = try place.directory(settings).find(name: backup, until: moment)
                let start = ContinuousClock.now
                let bar = BackupProgressBar()
                defer { bar.finish() }
                try await LocalCluster.verify(
                    stored, to: moment, settings.cluster, logger: settings.logger(defaultLevel: .warning),
                    progress: bar.update
                ) { conninfo in
                    try await DatabaseSession.run(settings.using(conninfo), migrating: true) { session in
                        let differences = try await RollupMaintenance(pool: session.database.owner).verify()
                        bar.finish()
                        for difference in differences { Terminal.print(cells: difference.layer, difference.row) }
                        Terminal.note(
                            "afterpush: \(stored.backup.name) can be restored; \(differences.count) differences "
                                + "after \(seconds(since: start)) s")
                        if !differences.isEmpty { throw ExitCode(1) }
                    }
                }
            }
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes expired backups, and the write-ahead log before the oldest that is left.",
            discussion: "Example:\n  afterpush backup prune --dir /mnt/backup --keep 7 --keep-days 30")

        @OptionGroup var place: BackupPlace
        @OptionGroup var retention: RetentionOptions
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard retention.keep != nil || retention.keepDays != nil else {
                throw ValidationError("give --keep, --keep-days or both")
            }
        }

        func run() async throws {
            try await CommandRunner.run { try await retention.apply(try place.directory(try await Settings(options))) }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Gives up a former backup directory that is lost, so that backups no longer warn of it.",
            discussion: """
                A directory from which a cluster was restored, or to which it was backed up before, has to know where \
                backups go now, so that a restore from it erases the devices that were erased since. Each backup notes \
                it there, and warns while it can't. Without the note, such a restore brings these devices back.

                Example:
                  afterpush backup forget /mnt/old
                """)

        @Argument(help: "The directory, as the warning names it.", completion: .directory) var directory: String
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let directory = BackupDirectory(path: self.directory)
                try await DatabaseSession.run(try await Settings(options)) { session in
                    try session.ownCluster().forget(directory)
                }
            }
        }
    }

    /// Where the backups are.
    struct BackupPlace: ParsableArguments {
        @Option(help: "Directory of the backups, on another disk than the data (AFTERPUSH_BACKUP_DIR).")
        var dir: String?

        func directory(_ settings: Settings) throws -> BackupDirectory {
            guard let path = dir ?? settings.backupDirectory else {
                throw ValidationError("name the directory of the backups with --dir or AFTERPUSH_BACKUP_DIR")
            }
            let directory = BackupDirectory(path: path)
            try settings.giveUpPrivileges()
            try directory.requireSafety(settings.cluster)
            return directory
        }
    }

    /// Which backups are kept.
    struct RetentionOptions: ParsableArguments {
        @Option(help: "Keep this many of the newest backups.") var keep: Int?
        @Option(help: "Keep backups of this many days; with --keep, those that either keeps.") var keepDays: Int?

        func validate() throws {
            guard (keep ?? 1) >= 1, (keepDays ?? 0) >= 0 else {
                throw ValidationError("--keep must be at least 1, and --keep-days at least 0")
            }
        }

        func apply(_ directory: BackupDirectory) async throws {
            guard keep != nil || keepDays != nil else { return }
            for name in try await directory.prune(BackupRetention(count: keep, days: keepDays)) {
                Terminal.print(cells: name, "removed")
            }
        }
    }
}

func seconds(since start: ContinuousClock.Instant) -> String {
    String(format: "%.1f", start.duration(to: .now) / .seconds(1))
}

/// Shows the phases of a backup or a restore as progress bars on a terminal.
struct BackupProgressBar: Sendable {
    private let bar = ProgressBar(unit: "MiB")

    func update(_ progress: BackupProgress) {
        bar.update(fraction: progress.fraction, count: progress.bytes >> 20, phase: progress.phase)
    }

    func finish() { bar.finish() }
}

extension DatabaseSession {
    /// Returns the program's own cluster, or throws if the settings name a database.
    func ownCluster() throws -> LocalCluster {
        guard let cluster else {
            throw ValidationError(
                "this is for the program's own cluster; back up the database of --database-url with PostgreSQL's tools, "
                    + "see docs/backup.md")
        }
        return cluster
    }
}
