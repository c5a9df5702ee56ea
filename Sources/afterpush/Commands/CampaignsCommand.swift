import ArgumentParser
import Declarations
import Server
import Storage

struct CampaignsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "Declares campaigns: their variants, goals and response window.",
        discussion: "Example:\n  afterpush campaigns list --app shop\n  afterpush campaigns show autumn --app shop",
        subcommands: [Put.self, List.self, Show.self, Archive.self])

    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Declares a campaign, or replaces the one with the same id.",
            discussion: """
                The file has the form of PUT /v1/campaigns/{id}: {"name", "category_id", "variants": [{"id", "weight", \
                "control"}], "goal_actions": [], "response_window": "72h", "conversion_window": "72h", "starts_at", \
                "planned_deliveries", "minimum_effect", "holdout"}.

                Example:
                  afterpush campaigns put autumn autumn.json --app shop
                """)

        @Argument(help: "The campaign's identifier.") var id: String
        @Argument(help: "A JSON file; - reads standard input.") var file: String
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                let campaign = try CampaignDeclaration(Array(try InputFile.read(file)), identifier: id)
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    try await session.registry.putCampaign(campaign, app: app)
                    let stored = try await session.registry.campaigns(app: app, only: id).first
                    Terminal.print(json: (stored ?? campaign).json)
                }
            }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists campaigns: id, name, variants.",
            discussion: "Example:\n  afterpush campaigns list --app shop")

        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @Flag(help: "Include archived campaigns.") var archived = false
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    var table = ListTable("campaign", "name", "variants", "state")
                    for campaign in try await session.registry.campaigns(app: app)
                    where archived || !campaign.isArchived {
                        table.append(
                            campaign.identifier, campaign.name,
                            campaign.variants.map(\.identifier).joined(separator: ", "),
                            campaign.isArchived ? "archived" : "")
                    }
                    table.print()
                }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints a campaign as JSON, in the form that `put` reads.",
            discussion: "Example:\n  afterpush campaigns show autumn --app shop")

        @Argument(help: "The campaign's identifier.") var id: String
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    guard let campaign = try await session.registry.campaigns(app: app, only: id).first else {
                        throw RegistryError.noSuchCampaign(id)
                    }
                    Terminal.print(json: campaign.json)
                }
            }
        }
    }

    struct Archive: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Archives a campaign: hides it from lists. Its deliveries still count.",
            discussion: """
                `campaigns put` restores it.

                Example:
                  afterpush campaigns archive autumn --app shop
                """)

        @Argument(help: "The campaign's identifier.") var id: String
        @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
        @OptionGroup var options: SettingsOptions

        func run() async throws {
            try await CommandRunner.run {
                try await DatabaseSession.run(try await Settings(options)) { session in
                    let app = try await session.registry.app(named: app)
                    try await session.registry.archiveCampaign(id, app: app)
                    Terminal.print(cells: id, "archived")
                }
            }
        }
    }
}
