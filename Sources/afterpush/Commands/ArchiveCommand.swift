import Archives
import ArgumentParser
import Postgres
import Reports
import Storage

struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Moves whole months of old events to compressed files, and prints the files.",
        discussion: """
            Each file, such as DIR/shop/events-2026-08.ndjson.gz, has one app's events of a month as `export` writes them. \
            A month is deleted from the database once all of its files are on the disk, were read back, and have the \
            right events. Reports keep what they counted, except those that read events, and as with `retention`, \
            events from before that moment are rejected from then on, unless there was no month with events to archive. \
            The retention of events must be `forever`. `import` reads the files into another database.

            Example:
              afterpush archive --dir /srv/archive --older-than 400d --dry-run
              afterpush archive --dir /srv/archive --older-than 400d
            """)

    @Option(help: "The directory of the files; it is created if it doesn't exist.", completion: .directory)
    var dir: String
    @Option(help: "Archive months that are completely older than this, such as 400d.")
    var olderThan: String
    @Flag(help: "Include the text that people typed, as far as it is still kept.") var includeText = false
    @Flag(help: "Only print what would be archived.") var dryRun = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            let source = try await SettingsSource(file: options.config)
            guard let period = try RetentionPeriods.seconds(olderThan, "--older-than") else {
                throw ValidationError("--older-than must be a number of days or hours such as 400d")
            }
            guard try RetentionPeriods(source).events == nil else {
                throw ValidationError(
                    "retention events (AFTERPUSH_RETENTION_EVENTS) must be forever where events are archived: "
                        + "collectors delete what is past a period without archiving it")
            }
            let settings = try await options.settings()
            try await DatabaseSession.run(settings) { session in
                let retention = session.retention(RetentionPeriods(events: period))
                if dryRun { return try await plan(retention) }
                let unused = try await session.requireEmptySpool(settings)
                defer { withExtendedLifetime(unused) {} }
                try await archive(session, retention)
            }
        }
    }

    private func plan(_ retention: Retention) async throws {
        let plan = try await retention.planMonths()
        for month in plan.months {
            // The planner's estimate, or 0 before the first `analyze`.
            Terminal.print(cells: month.what, month.item, month.rows == 0 ? "" : String(month.rows))
        }
        Terminal.note("afterpush: \(plan.months.isEmpty ? Self.nothing : "these would be archived and deleted")")
        if let before = plan.seal {
            Terminal.note("afterpush: events from before \(before) would be rejected from then on")
        }
    }

    private static let nothing = "no month with events to archive is old enough"

    private func archive(_ session: DatabaseSession, _ retention: Retention) async throws {
        // A replica may lag.
        let exports = ExportService(pool: ReadPool(session.database.export))
        var (files, events) = (0, Int64(0))
        try await EventArchive(dir, retention: retention, exports: exports).run(text: includeText) { file in
            Terminal.print(cells: file.app, file.path, String(file.events))
            files += 1
            events += file.events
        } onNote: {
            Terminal.note("afterpush: \($0)")
        }
        Terminal.note(
            files == 0
                ? "afterpush: \(Self.nothing)"
                : "afterpush: \(ProgressLine.grouped(Int(events))) events are in \(files) files; their months were deleted"
        )
    }
}
