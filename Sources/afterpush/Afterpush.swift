import ArgumentParser
import Foundation
import Instruments

@main
enum Program {
    /// Runs the command, and exits with 0 on success, 1 on failure, or 2 if the command line is invalid.
    static func main() async {
        do {
            var command = try Afterpush.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = Afterpush.exitCode(for: error)
            let message = Afterpush.fullMessage(for: error)
            if code == .success { Terminal.print(message) } else if !message.isEmpty { Terminal.note(message) }
            exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}

struct Afterpush: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "afterpush",
        abstract: "Records what happens to push notifications after they are sent, and reports it.",
        discussion: """
            Example:
              afterpush demo
              afterpush report conversion --app shop --by campaign

            Every setting is a flag, an environment variable (AFTERPUSH_DATABASE_URL, else DATABASE_URL; \
            AFTERPUSH_DATA_DIR, AFTERPUSH_PORT...), or a key of the JSON file named by --config. Without a database \
            URL the program runs a PostgreSQL cluster of its own in the data directory.
            """,
        version: ProgramVersion.current.rawValue,
        subcommands: [
            ServeCommand.self, DemoCommand.self, MigrateCommand.self, AppsCommand.self, KeysCommand.self,
            CategoriesCommand.self, CampaignsCommand.self, AlertsCommand.self, DialectsCommand.self,
            MappingsCommand.self, PayloadCommand.self, ReportsCommand.self,
            ReportCommand.self, ExportCommand.self, ImportCommand.self, SimulateCommand.self,
            RollupCommand.self, EraseCommand.self, RetentionCommand.self, BackupCommand.self, RestoreCommand.self,
            UpgradeCommand.self, DoctorCommand.self, BenchCommand.self, DatabaseURLCommand.self, VersionCommand.self,
        ])
}

/// The version of this program.
enum ProgramVersion: String, Label {
    case current = "0.1.0"

    static let labelName = "version"
}
