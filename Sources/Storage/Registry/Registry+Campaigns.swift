package import AfterpushWire
import Postgres
import SQLFiles

extension Registry {
    /// A campaign as a team declares it.
    package struct Campaign: Sendable {
        package var identifier: String
        package var name: String
        package var category: String?
        package var variants: [Variant] = []
        package var goalActions: [String] = []
        package var responseWindow: Duration = .seconds(72 * 3_600)
        package var startsAt: AfterpushWire.Timestamp?

        package init(identifier: String, name: String) {
            self.identifier = identifier
            self.name = name
        }
    }

    /// A variant with its share of the deliveries, relative to the other weights.
    package struct Variant: Sendable {
        package var identifier: String
        package var weight: Double
        package var isControl: Bool

        package init(identifier: String, weight: Double = 1, isControl: Bool = false) {
            self.identifier = identifier
            self.weight = weight
            self.isControl = isControl
        }
    }

    /// Puts a campaign with all its variants, in place of what was declared under its identifier.
    package func putCampaign(_ campaign: Campaign, app: App) async throws {
        try await self.pool.withConnection { connection in
            try await connection.transaction { connection in
                try connection.execute(
                    SQLFiles.putCampaign.text,
                    [
                        .int4(app.id), .text(campaign.identifier), .text(campaign.name), .text(campaign.category),
                        .textArray(campaign.goalActions), .float8(Double(campaign.responseWindow.components.seconds)),
                        .timestamp(campaign.startsAt?.microseconds),
                    ])
                try connection.execute(
                    "delete from afterpush.campaign_variants where app_id = $1 and campaign_id = $2",
                    [.int4(app.id), .text(campaign.identifier)])
                for variant in campaign.variants {
                    try connection.execute(
                        """
                        insert into afterpush.campaign_variants (app_id, campaign_id, variant, weight, control)
                        values ($1, $2, $3, $4, $5)
                        """,
                        [
                            .int4(app.id), .text(campaign.identifier), .text(variant.identifier),
                            .float8(variant.weight), .bool(variant.isControl),
                        ])
                }
            }
        }
    }
}
