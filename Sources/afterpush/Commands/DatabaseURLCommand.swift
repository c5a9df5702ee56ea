import ArgumentParser

struct DatabaseURLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database-url",
        abstract: "Prints the connection string of the database, for psql.",
        discussion: "Example:\n  psql \"$(afterpush database-url)\" -c 'select * from afterpush.apps'")

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            try await DatabaseSession.run(try await Settings(options)) { session in
                Terminal.print(session.conninfo)
            }
        }
    }
}
