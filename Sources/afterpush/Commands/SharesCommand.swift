import AfterpushWire
import ArgumentParser
import Foundation
import Ingest
import Reports
import Server
import Storage

struct SharesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shares",
        abstract: "Creates, lists and revokes links that share one view of the dashboard.",
        discussion: """
            Example:
              afterpush shares create '/campaigns/autumn?period=30d' --app shop
              afterpush shares list --app shop
            """,
        subcommands: [Create.self, List.self, Revoke.self])

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates a link and prints it. It can't be shown again.",
            discussion: """
                Whoever has the link sees this page with these filters, without logging in, until it ends, and nothing \
                else. Pages that can be shared are the overview, campaigns, categories and reports except replies.

                Example:
                  afterpush shares create '/campaigns/autumn?period=30d&tz=Europe/Berlin' \\
                    --app shop --lifetime 30d
                """)

        @Argument(help: "The page's path with its filters, as in the address bar of the dashboard.") var view: String
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @Option(help: "When the link ends: 5m to 90d.") var lifetime = "7d"
        @Option(help: "What the link is for, as `shares list` shows it.") var name = ""
        @Option(help: "The address of the collector in the link; by default host and port of the settings.")
        var url: String?
        @OptionGroup var options: SettingsOptions

        func validate() throws {
            guard seconds != nil else {
                throw ValidationError(
                    "--lifetime must be a number of minutes, hours or days from 5m to 90d, such as 7d")
            }
            guard name.utf8.count <= 256 else { throw ValidationError("--name is longer than 256 bytes") }
        }

        private var seconds: Int64? {
            guard let match = lifetime.wholeMatch(of: /([0-9]{1,6})([mhd])/), let count = Int64(match.1) else {
                return nil
            }
            let seconds = count * (match.2 == "m" ? 60 : match.2 == "h" ? 3_600 : 86_400)
            return NewShare.lifetimes.contains(seconds) ? seconds : nil
        }

        func run() async throws {
            try await CommandRunner.run {
                guard let seconds else { return }
                let settings = try await Settings(options)
                let view = try SharedView(
                    view, catalogue: ReportService.catalogue(directory: settings.reportsDirectory))
                try await DatabaseSession.run(settings) { session in
                    let app = try await session.registry.app(named: app)
                    let token = ShareToken.make()
                    let share = NewShare(
                        appID: app.id, app: app.name, keyID: nil, hash: APIKeyCache.hash(of: token), name: name,
                        view: view.address, seconds: seconds)
                    guard try await session.registry.createShare(share) != nil else {
                        throw ValidationError(
                            "an app has at most \(NewShare.limit) links; revoke one with: afterpush shares revoke NUMBER"
                        )
                    }
                    let scheme = settings.server.identity == nil ? "http" : "https"
                    let address = url ?? "\(scheme)://\(settings.host):\(settings.port)"
                    Terminal.print(ShareToken.link(token, at: address))
                    if url == nil {
                        Terminal.note(
                            "afterpush: the link leads to \(address), as the settings say; name another address with --url"
                        )
                    }
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the links that have not ended: number, app, view, name, when each was created and ends.",
            discussion: "Example:\n  afterpush shares list --app shop")

        @Option(help: "Only links of this app.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    var app: App?
                    if let name = self.app { app = try await session.registry.app(named: name) }
                    var table = ListTable("number", "app", "view", "name", "created", "ends", "created by")
                    for share in try await session.registry.shares(app: app?.id) {
                        table.append(
                            String(share.id), share.app, share.view, share.name, share.createdAt.description,
                            share.endsAt.description, share.keyID.map { "key \($0)" } ?? "command line")
                    }
                    table.print()
                }
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes a link. It stops working within seconds.",
            discussion: "Example:\n  afterpush shares revoke 3")

        @Argument(help: "The link's number, as `shares list` shows it.") var number: Int32
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    guard try await session.registry.revokeShare(number) else {
                        throw RegistryError.noSuchShare(number)
                    }
                }
            }
        }
    }
}
