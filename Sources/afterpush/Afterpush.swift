import ArgumentParser

@main
struct Afterpush: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "afterpush",
        abstract: "Collects what devices report about push notifications, and reports it.",
        discussion: """
            Example:
              afterpush demo
              afterpush report conversion --app shop --by campaign

            Every setting is a flag, an environment variable (AFTERPUSH_DATABASE_URL, else DATABASE_URL; \
            AFTERPUSH_DATA_DIR, AFTERPUSH_PORT...), or a key of the JSON file named by --config. Without a database \
            URL the program runs a PostgreSQL cluster of its own in the data directory.
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, DemoCommand.self, MigrateCommand.self, AppsCommand.self, KeysCommand.self,
            CategoriesCommand.self, ReportsCommand.self, ReportCommand.self, RollupCommand.self,
            DatabaseURLCommand.self,
        ])
}
