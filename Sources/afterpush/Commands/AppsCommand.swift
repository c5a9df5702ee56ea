import ArgumentParser
import Receipts
import Storage

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Creates and lists apps, the tenants that keys, events and reports belong to.",
        discussion: "Example:\n  afterpush apps create shop\n  afterpush apps list",
        subcommands: [Create.self, List.self, Export.self, Import.self, Secret.self, Receipts.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an app.", discussion: "Example:\n  afterpush apps create shop")

        @Argument(help: "The app's name.") var name: String
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options), creating: true) { session in
                    let app = try await session.registry.createApp(name)
                    Terminal.print(cells: app.name)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the apps: name, and whether receipts are optional or required.",
            discussion: "Example:\n  afterpush apps list")

        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    var table = ListTable("app", "policy")
                    for app in try await session.registry.apps() {
                        table.append(app.name, "receipts \(app.receiptPolicy.rawValue)")
                    }
                    table.print()
                }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints what is declared for an app as JSON: categories, campaigns, alerts and mappings.",
            discussion: """
                Keys, signing secrets and events are not in it, nor where the app's alerts go. A rule with destinations \
                of its own keeps them, also if their addresses are secret. With `afterpush export events`, `apps \
                import` and `import`, an app moves to another database.

                Example:
                  afterpush apps export shop > shop.json
                """)

        @Argument(help: "The app's name; not needed if there is only one.", completion: .apps) var name: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    Terminal.print(json: try await AppDocument.text(of: session.registry.app(named: name), session))
                }
            }
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Declares for an app what `apps export` printed; creates the app if it doesn't exist.",
            discussion: """
                What the document names is replaced; campaigns and alerts that it does not name stay.

                Example:
                  afterpush apps import shop.json
                  afterpush apps import shop.json --name shop-test
                """)

        @Argument(help: "A JSON file; - reads standard input.") var file: String
        @Option(help: "The app's name, instead of the one in the file.") var name: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                // A wrong file is found before the database is needed.
                let document = try AppDocument(try InputFile.read(file), name: name)
                try await DatabaseSession.run(try await Settings(options), creating: true) { session in
                    Terminal.print(try await document.declare(session))
                }
            }
        }
    }

    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the app's receipt secret: 32 bytes as base64url.",
            discussion: """
                Anyone who has the secret can issue valid receipts. After a rotation, the old secret still verifies for \
                120 days, so that receipts in notifications that were already sent stay valid.

                Example:
                  SECRET=$(afterpush apps secret shop)
                """)

        @Argument(help: "The app's name.", completion: .apps) var name: String
        @Flag(help: "Create a new secret and print it.") var rotate = false
        @Flag(help: "With --rotate, after a leak: receipts signed with older secrets become invalid at once.")
        var atOnce = false
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            if atOnce, !rotate { throw ValidationError("--at-once requires --rotate") }
        }

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let registry = session.registry
                    let app = try await registry.app(named: name)
                    let secret =
                        rotate
                        ? try await registry.rotateReceiptSecret(of: app, atOnce: atOnce)
                        : try await registry.receiptSecret(of: app)
                    Terminal.print(Base64URL.encode(secret))
                }
            }
        }
    }

    struct Receipts: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Sets whether events about deliveries need a receipt, unless they are posted with a server's key.",
            discussion: "Example:\n  afterpush apps receipts shop required")

        @Argument(help: "The app's name.", completion: .apps) var name: String
        @Argument(help: "optional or required.") var policy: String
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard ReceiptPolicy(rawValue: policy) != nil else {
                throw ValidationError(
                    "the policy must be one of \(ReceiptPolicy.allCases.map(\.rawValue).joined(separator: ", "))")
            }
        }

        func run() async throws {
            try await CommandRunner.run {
                guard let policy = ReceiptPolicy(rawValue: policy) else { return }
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: name)
                    try await session.registry.setReceiptPolicy(policy, of: app)
                    Terminal.print(cells: app.name, "receipts \(policy.rawValue)")
                }
            }
        }
    }
}
