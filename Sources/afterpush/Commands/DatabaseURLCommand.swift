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
            let settings = try await Settings(options)
            // Also of a database that has no schema yet, as before a restore.
            if let url = settings.databaseURL { return Terminal.print(try ConnectionString.withoutPasswords(url)) }
            try await DatabaseSession.run(settings) { session in
                Terminal.print(try ConnectionString.withoutPasswords(session.address))
            }
        }
    }
}
