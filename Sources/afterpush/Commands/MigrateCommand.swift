import ArgumentParser
import Logging

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database's schema up to date.",
        discussion: "Example:\n  afterpush migrate --database-url postgres://localhost/afterpush")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            let settings = try await Settings(options)
            try await DatabaseSession.run(settings, defaultLevel: .notice, creating: true, migrating: true) {
                _ in
                Terminal.note("afterpush: the schema is up to date")
            }
        }
    }
}
