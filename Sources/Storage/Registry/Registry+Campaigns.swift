package import AfterpushWire
package import Foundation
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

    /// Totals of a campaign that were sent without an event for each device.
    package struct DeclaredSend: Sendable {
        package var id: UUID
        package var campaign: String
        package var category: String?
        package var categoryVersion: Int32?
        package var variant: String?
        package var platform: String?
        package var count: Int64
        package var failed: Int64
        package var sentAt: AfterpushWire.Timestamp

        package init(id: UUID, campaign: String, count: Int64, failed: Int64 = 0, sentAt: AfterpushWire.Timestamp) {
            self.id = id
            self.campaign = campaign
            self.count = count
            self.failed = failed
            self.sentAt = sentAt
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

    /// Declares sends; those whose id is known already change nothing.
    package func declareSends(_ sends: [DeclaredSend], app: App) async throws {
        try await self.pool.withConnection { connection in
            try await connection.transaction { connection in
                for send in sends {
                    try connection.execute(
                        SQLFiles.putSend.text,
                        [
                            .int4(app.id), .uuid(send.id), .text(send.campaign), .text(send.category),
                            .int4(send.categoryVersion), .text(send.variant), .text(send.platform),
                            .int8(send.count), .int8(send.failed), .timestamp(send.sentAt.microseconds),
                        ])
                }
            }
        }
    }
}
