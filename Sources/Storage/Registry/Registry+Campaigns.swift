import AfterpushWire
package import Ingest
import Postgres
import SQLFiles

extension Registry {
    /// Puts a campaign with all its variants, in place of what was declared under its identifier.
    package func putCampaign(_ campaign: CampaignDeclaration, app: App) async throws {
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

    /// Every campaign of an app that is not archived, by identifier.
    ///
    /// - Parameter identifier: only this one.
    package func campaigns(app: App, only identifier: String? = nil) async throws -> [CampaignDeclaration] {
        try await self.pool.withConnection { connection in
            try await connection.transaction(.readOnlyRepeatable) { connection in
                var variants: [[UInt8]: [CampaignDeclaration.Variant]] = [:]
                for row in try connection.query(
                    """
                    select campaign_id, variant, weight, control
                    from afterpush.campaign_variants
                    where app_id = $1
                    order by campaign_id, control desc, variant
                    """, [.int4(app.id)])
                {
                    let (campaign, variant, weight, control) = try row.decode(
                        String.self, String.self, Double.self, Bool.self)
                    variants[Array(campaign.utf8), default: []].append(
                        .init(identifier: variant, weight: weight, isControl: control))
                }
                return try connection.query(
                    """
                    select
                        campaign_id, name, category_id, goal_actions, extract(epoch from response_window)::bigint,
                        (extract(epoch from starts_at) * 1000000)::bigint
                    from afterpush.campaigns
                    where app_id = $1
                      and archived_at is null
                      and ($2::text is null or campaign_id = $2)
                    order by campaign_id
                    """, [.int4(app.id), .text(identifier)]
                ).map { row in
                    let (id, name, category, goals, window, start) = try row.decode(
                        String.self, String.self, String?.self, [String].self, Int64.self, Int64?.self)
                    var campaign = CampaignDeclaration(identifier: id, name: name)
                    campaign.category = category
                    campaign.variants = variants[Array(id.utf8)] ?? []
                    campaign.goalActions = goals
                    campaign.responseWindow = .seconds(window)
                    campaign.startsAt = start.map { Timestamp(microseconds: $0) }
                    return campaign
                }
            }
        }
    }
}
