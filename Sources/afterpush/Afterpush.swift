import ArgumentParser
import Foundation
import Instruments
import Reports
import SQLFiles
import Synchronization

@main
enum Program {
    /// Runs the command in other threads than the first.
    ///
    /// With an asynchronous `main`, the first thread would end, but stay in the process. A program of root that becomes
    /// another user's changes the user of all threads, except of those that have ended.
    static func main() {
        Task.detached {
            await run()
            exit(0)
        }
        while true { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }

    /// Runs the command, and exits with 0 on success, 1 on failure, or 2 if the command line is invalid.
    private static func run() async {
        do {
            if let problem = UnknownCommand.problem(in: Array(CommandLine.arguments.dropFirst())) {
                Terminal.note("afterpush: \(problem)")
                exit(2)
            }
            var command = try Afterpush.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            if let reason = Terminal.writeFailure.withLock({ $0 }) {
                Terminal.note("afterpush: could not write all of the output: \(reason)")
                exit(1)
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
            SharesCommand.self,
            CategoriesCommand.self, CampaignsCommand.self, AlertsCommand.self, DialectsCommand.self,
            MappingsCommand.self, PayloadCommand.self, ReportsCommand.self,
            ReportCommand.self, InspectCommand.self, ExportCommand.self, ImportCommand.self, SimulateCommand.self,
            RollupCommand.self, EraseCommand.self, RetentionCommand.self, ArchiveCommand.self, BackupCommand.self,
            RestoreCommand.self,
            UpgradeCommand.self, DoctorCommand.self, BenchCommand.self, PlanCommand.self, DatabaseURLCommand.self,
            VersionCommand.self,
        ])
}

/// Finds a first word that names no command. The parser would take it for an argument, and complain about something else.
enum UnknownCommand {
    /// Returns the error, or nil if the words name a command that exists.
    static func problem(in words: [String]) -> String? {
        var command: any ParsableCommand.Type = Afterpush.self
        var path = ""
        for word in words {
            let commands = command.configuration.subcommands
            if commands.isEmpty || word.hasPrefix("-") { return nil }
            if let next = commands.first(where: { $0._commandName == word }) {
                command = next
                path += word + " "
                continue
            }
            if command.configuration.defaultSubcommand != nil || word == "help" { return nil }
            let names = commands.map { $0._commandName }
            if path.isEmpty, SQLFiles.reports.contains(where: { $0.name == word }) {
                return "there is no command \(String(reflecting: word)); did you mean report \(word)?"
            }
            if let nearest = Suggestion.nearest(to: word, in: names) {
                return "there is no command \(String(reflecting: path + word)); did you mean \(path)\(nearest)?"
            }
            let all = names.filter { $0 != "database-url" }.joined(separator: ", ")
            return "there is no command \(String(reflecting: path + word)); there are \(all)"
        }
        return nil
    }
}

/// The version of this program.
enum ProgramVersion: String, Label {
    case current = "0.1.0"

    static let labelName = "version"
}
