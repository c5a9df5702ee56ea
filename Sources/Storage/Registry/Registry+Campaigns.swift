import AfterpushWire
package import Declarations
import Postgres
import SQLFiles

extension Registry {
    /// Declares a campaign with its variants, and replaces an earlier declaration with the same identifier.
    ///
    /// The times of its declaration are those at which the collector first saw its goals and weights.
    ///
    /// - Throws: `DeclarationError` if a limit is exceeded; then nothing changes.
    package func putCampaign(_ campaign: CampaignDeclaration, app: App) async throws {
        try self.limits.check(campaign)
        try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction { connection in
                _ = try connection.query(SQLFiles.lockApp.text, [.int4(app.id)])
                if !campaign.isArchived { try self.checkRoom(for: campaign, app, connection) }
                let variants = campaign.variants
                try connection.execute(
                    SQLFiles.putCampaign.text,
                    [
                        .int4(app.id), .text(campaign.identifier), .text(campaign.name), .text(campaign.category),
                        .textArray(campaign.goalActions), .float8(Double(campaign.responseWindow.components.seconds)),
                        .float8(campaign.conversionWindow.map { Double($0.components.seconds) }),
                        .timestamp(campaign.startsAt?.microseconds), .int8(campaign.plannedDeliveries),
                        .float8(campaign.minimumEffect), .bool(campaign.isArchived), .float8(campaign.holdout),
                        .textArray(variants.map(\.identifier)), .float8Array(variants.map(\.weight)),
                        .boolArray(variants.map(\.isControl)),
                    ])
            }
        }
    }

    /// Archives a campaign without other changes; has no effect if it is archived already.
    package func archiveCampaign(_ identifier: String, app: App) async throws {
        let affected = try await self.pool.withConnection(of: app.id) { connection in
            try await connection.execute(SQLFiles.archiveCampaign.text, [.int4(app.id), .text(identifier)])
        }
        if affected == 0 { throw RegistryError.noSuchCampaign(identifier) }
    }

    private func checkRoom(
        for campaign: CampaignDeclaration, _ app: App, _ connection: isolated Connection
    ) throws {
        let others = try connection.query(
            SQLFiles.countOtherCampaigns.text, [.int4(app.id), .text(campaign.identifier)]
        ).first?.decode(Int64.self, column: 0)
        try self.limits.check(campaigns: Int(others ?? 0) + 1)
    }

    /// Returns the campaigns of an app, sorted by identifier.
    ///
    /// - Parameters:
    ///   - identifier: The identifier of the only campaign to return, or `nil` for all.
    ///   - start: The identifier after which the campaigns begin, or `nil` for all.
    ///   - limit: The most campaigns to return, or `nil` for all.
    package func campaigns(
        app: App, only identifier: String? = nil, after start: String? = nil, includingArchived: Bool = true,
        limit: Int? = nil
    ) async throws -> [CampaignDeclaration] {
        try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction(.readOnlyRepeatable) { connection in
                var campaigns = try connection.query(
                    SQLFiles.listCampaigns.text,
                    [
                        .int4(app.id), .text(identifier), .text(start), .bool(includingArchived),
                        .int8(limit.map { Int64($0) }),
                    ]
                ).map { row in
                    let (
                        id, name, category, goals, window, conversionWindow, start, planned, effect, isArchived,
                        holdout,
                        goalsDeclaredAt, weightsDeclaredAt
                    ) = try row.decode(
                        String.self, String.self, String?.self, [String].self, Int64.self, Int64?.self, Int64?.self,
                        Int64?.self, Double?.self, Bool.self, Double?.self, Int64?.self, Int64?.self)
                    var campaign = CampaignDeclaration(identifier: id, name: name)
                    campaign.category = category
                    campaign.goalActions = goals
                    campaign.responseWindow = .seconds(window)
                    campaign.conversionWindow = conversionWindow.map { .seconds($0) }
                    campaign.startsAt = start.map { Timestamp(microseconds: $0) }
                    campaign.plannedDeliveries = planned
                    campaign.minimumEffect = effect
                    campaign.holdout = holdout
                    campaign.isArchived = isArchived
                    campaign.goalsDeclaredAt = goalsDeclaredAt.map { Timestamp(microseconds: $0) }
                    campaign.weightsDeclaredAt = weightsDeclaredAt.map { Timestamp(microseconds: $0) }
                    return campaign
                }
                var variants: [[UInt8]: [CampaignDeclaration.Variant]] = [:]
                let identifiers = Parameter.textArray(campaigns.map(\.identifier))
                for row in try connection.query(SQLFiles.listCampaignVariants.text, [.int4(app.id), identifiers]) {
                    let (campaign, variant, weight, control) = try row.decode(
                        String.self, String.self, Double.self, Bool.self)
                    variants[Array(campaign.utf8), default: []].append(
                        .init(identifier: variant, weight: weight, isControl: control))
                }
                for place in campaigns.indices {
                    campaigns[place].variants = variants[Array(campaigns[place].identifier.utf8)] ?? []
                }
                return campaigns
            }
        }
    }
}
