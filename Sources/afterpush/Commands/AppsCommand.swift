import ArgumentParser
import Storage

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Makes and lists apps: the tenants that keys, events and reports belong to.",
        subcommands: [Create.self, List.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes an app.", discussion: "Example:\n  afterpush apps create shop")

        @OptionGroup var options: SettingsOptions
        @Argument(help: "The app's name.") var name: String

        func run() async throws {
            try await CommandRunner.run {
                try await Workspace.run(try await Settings(options)) { workspace in
                    let app = try await workspace.registry.createApp(name)
                    Terminal.print(app.name)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the apps, a line each.", discussion: "Example:\n  afterpush apps list")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await Workspace.run(try await Settings(options)) { workspace in
                    for app in try await workspace.registry.apps() { Terminal.print(app.name) }
                }
            }
        }
    }
}
