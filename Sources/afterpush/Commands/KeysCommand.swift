import ArgumentParser
import Events
import Foundation
import Storage

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Creates, lists and revokes API keys.",
        discussion:
            "Example:\n  KEY=$(afterpush keys create --app shop --scope ingest)\n  afterpush keys list --app shop",
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a key and prints it. It can't be shown again.",
            discussion: "Example:\n  KEY=$(afterpush keys create --app shop --scope ingest)")

        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @Option(help: "ingest, send, read or manage.", completion: .scopes) var scope: String
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard Scope(rawValue: scope) != nil else {
                throw ValidationError(
                    "--scope must be one of \(Scope.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        }

        func run() async throws {
            try await CommandRunner.run {
                guard let scope = Scope(rawValue: scope) else { return }
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    Terminal.print(try await session.registry.createKey(app: app, scope: scope))
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists keys: number, app, scope, last characters, when each was created and revoked.",
            discussion: "Example:\n  afterpush keys list --app shop")

        @Option(help: "Only keys of this app.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    var app: App?
                    if let name = self.app { app = try await session.registry.app(named: name) }
                    var table = ListTable("number", "app", "scope", "ends in", "created", "state")
                    for key in try await session.registry.keys(app: app) {
                        table.append(
                            String(key.id), key.app, key.scope.rawValue, "...\(key.hint)",
                            key.createdAt.formatted(.iso8601),
                            key.revokedAt.map { "revoked \($0.formatted(.iso8601))" } ?? "good")
                    }
                    table.print()
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes a key. It stops working within seconds.",
            discussion: "Example:\n  afterpush keys revoke 3")

        @Argument(help: "The key's number, as `keys list` shows it.") var number: Int32
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    try await session.registry.revokeKey(number)
                }
            }
        }
    }
}
