import ArgumentParser
import Dialects
import Storage

struct MappingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mappings",
        abstract: "Shows and replaces what an app's own names of events become.",
        discussion: """
            They are for events that other systems' clients post under names that no specification has. \
            docs/other-clients.md describes the file.

            Example:
              afterpush mappings import mappings.json --app shop
              afterpush mappings show --app shop
            """,
        subcommands: [Import.self, Show.self])

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replaces the app's mappings by those of a file.",
            discussion: "Example:\n  afterpush mappings import mappings.json --app shop")

        @Argument(help: "A JSON file; - reads standard input.") var file: String
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let text = Array(try InputFile.read(file))
                // A wrong file is found before the database is needed.
                _ = try DialectConfiguration(text)
                // Without them, as in a file of something else, all mappings of the app would be removed.
                guard DialectConfiguration.statesMappings(text) else {
                    throw ValidationError(
                        "the file has no member \"mappings\"; to remove all mappings, state an empty array")
                }
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    let current = try await session.registry.dialectConfiguration(app: app.id)
                    let configuration = try DialectConfiguration(text, replacing: current)
                    try await session.registry.put(configuration, app: app.id)
                    Terminal.note("mappings of the app \(app.name): \(configuration.mappings.mappings.count)")
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the app's mappings in the form that `import` reads.",
            discussion: "Example:\n  afterpush mappings show --app shop")

        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    Terminal.print(json: try await session.registry.dialectConfiguration(app: app.id).shownJSON)
                }
            }
        }
    }
}
