import ArgumentParser
import Storage

struct RetentionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retention",
        abstract:
            "Deletes data past its retention period, as every collector does once a day, and prints what it deleted.",
        discussion: """
            Events are deleted by whole months. Their counts remain, and their hours are sealed: events from before that \
            moment are rejected from then on, and a seal is never removed. So try a period with --dry-run first. Reply \
            texts are deleted after the text_retention of their category, or else of the app. Collectors use the periods \
            of the settings, not those of these flags.

            Example:
              afterpush retention --events 400d --dry-run
            """)

    @Option(help: "How long events are kept: 400d, 12h or forever (AFTERPUSH_RETENTION_EVENTS).")
    var events: String?
    @Option(help: "How long deliveries are kept, at least as long as events (AFTERPUSH_RETENTION_DELIVERIES).")
    var deliveries: String?
    @Option(help: "How long rejected events are kept (AFTERPUSH_RETENTION_REJECTED).")
    var rejected: String?
    @Flag(help: "Only print what would be deleted.")
    var dryRun = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            let periods = try RetentionPeriods(
                try await SettingsSource(file: options.config), events: events, deliveries: deliveries,
                rejected: rejected)
            let settings = try await options.settings()
            try await DatabaseSession.run(settings) { session in
                let retention = session.retention(periods)
                let sealsHours = periods.events != nil && !dryRun
                let unused = try await sealsHours ? session.requireEmptySpool(settings) : nil
                defer { withExtendedLifetime(unused) {} }
                let seal = try await retention.nextSeal()
                var deleted: [Retention.Item] = []
                let items: [Retention.Item]
                do {
                    items = dryRun ? try await retention.plan() : try await retention.run { deleted.append($0) }
                } catch {
                    for item in deleted { Self.print(item) }
                    throw error
                }
                if let seal { Terminal.print(cells: "hours", "sealed before \(seal)", "") }
                for item in items { Self.print(item) }
                let isNothing = items.isEmpty && seal == nil
                let result = dryRun ? "these would be deleted or sealed" : "deleted or sealed"
                Terminal.note("afterpush: \(isNothing ? "nothing is past its retention period" : result)")
            }
        }
    }

    private static func print(_ item: Retention.Item) {
        // The number of events of a month is the planner's estimate, or 0 before the first `analyze`.
        let rows = item.what == "events" && item.rows == 0 ? "" : String(item.rows)
        Terminal.print(cells: item.what, item.item, rows)
    }
}
