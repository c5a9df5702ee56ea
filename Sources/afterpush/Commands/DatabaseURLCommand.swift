import ArgumentParser
import Postgres

struct DatabaseURLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database-url",
        abstract: "Prints the connection string of the database, without its password, for psql.",
        discussion: """
            All users of a machine can see the arguments of a command, so the password is left out. psql and PostgreSQL's \
            other tools take it from ~/.pgpass or PGPASSWORD, or ask for it.

            Example:
              psql "$(afterpush database-url)" -c 'select * from afterpush.apps'
            """)

    @OptionGroup var options: SettingsOptions

    func run() async throws {
        try await CommandRunner.run {
            try await DatabaseSession.run(try await Settings(options)) { session in
                Terminal.print(try ConnectionString.withoutPasswords(session.address))
            }
        }
    }
}
