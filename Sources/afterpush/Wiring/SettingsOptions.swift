import ArgumentParser

/// The settings that every command accepts as flags.
struct SettingsOptions: ParsableArguments {
    @Option(help: "PostgreSQL to use, postgres://... (AFTERPUSH_DATABASE_URL, DATABASE_URL).")
    var databaseURL: String?

    @Option(help: "Directory of the program's own PostgreSQL, used without a database URL (AFTERPUSH_DATA_DIR).")
    var dataDir: String?

    @Option(help: "JSON file with settings: {\"data\": {\"dir\": \"...\"}} (AFTERPUSH_CONFIG).")
    var config: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical (AFTERPUSH_LOG_LEVEL).")
    var logLevel: String?

    @Option(help: "text, json or auto: text on a terminal (AFTERPUSH_LOG_FORMAT).")
    var logFormat: String?

    func settings() async throws -> Settings {
        try await Settings(self)
    }
}
