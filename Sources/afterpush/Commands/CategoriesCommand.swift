import AfterpushWire
import ArgumentParser
import Declarations
import Foundation
import JSON
import Server
import Storage

struct CategoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "categories",
        abstract: "Declares notification categories and their actions.",
        discussion:
            "Example:\n  afterpush categories import categories.json --app shop\n  afterpush categories list --app shop",
        subcommands: [Import.self, Export.self, List.self])

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Declares all categories of a document, and retires those that are absent from it.",
            discussion: """
                Reads {"categories": [...]} and the NotificationConfig form. A changed category gets the next version.

                Example:
                  afterpush categories import categories.json --app shop
                """)

        @Argument(help: "A JSON file; - reads standard input.") var file: String
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let set = try CategorySet(json: try InputFile.read(file))
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    let change = try await session.registry.putCategories(set, app: app, at: .now)
                    for (identifier, version) in change.changed {
                        Terminal.print(cells: identifier, "version \(version)")
                    }
                    for identifier in change.unchanged { Terminal.print(cells: identifier, "unchanged") }
                    for identifier in change.retired { Terminal.print(cells: identifier, "retired") }
                }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the categories in force as JSON, in the form that `import` reads.",
            discussion: "Example:\n  afterpush categories export --app shop > categories.json")

        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    let categories = try await session.registry.categories(app: app)
                    Terminal.print(
                        json: JSONText.object([("categories", JSONText.array(categories.map { $0.0.json($0.1) }))]))
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists categories with their version and actions.",
            discussion: "Example:\n  afterpush categories list --app shop")

        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    var table = ListTable("category", "version", "actions")
                    for (category, version) in try await session.registry.categories(app: app) {
                        table.append(
                            category.identifier, "version \(version)",
                            category.actions.map(\.identifier).joined(separator: ", "))
                    }
                    table.print()
                }
            }
        }
    }
}

extension Timestamp {
    /// The present, by the clock of this machine.
    static var now: Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }
}
