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
                if !campaign.isArchived { try self.checkRoom(for: campaign, app, connection) }
                try connection.execute(
                    SQLFiles.putCampaign.text,
                    [
                        .int4(app.id), .text(campaign.identifier), .text(campaign.name), .text(campaign.category),
                        .textArray(campaign.goalActions), .float8(Double(campaign.responseWindow.components.seconds)),
                        .float8(campaign.conversionWindow.map { Double($0.components.seconds) }),
                        .timestamp(campaign.startsAt?.microseconds), .int8(campaign.plannedDeliveries),
                        .float8(campaign.minimumEffect), .bool(campaign.isArchived), .float8(campaign.holdout),
                    ])
                try connection.execute(
                    SQLFiles.dateCampaignWeights.text,
                    [
                        .int4(app.id), .text(campaign.identifier), .textArray(campaign.variants.map(\.identifier)),
                        .textArray(campaign.variants.map { String($0.weight) }),
                    ])
                try connection.execute(
                    SQLFiles.deleteCampaignVariants.text, [.int4(app.id), .text(campaign.identifier)])
                for variant in campaign.variants {
                    try connection.execute(
                        SQLFiles.putCampaignVariant.text,
                        [
                            .int4(app.id), .text(campaign.identifier), .text(variant.identifier),
                            .float8(variant.weight), .bool(variant.isControl),
                        ])
                }
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
        _ = try connection.query(SQLFiles.lockApp.text, [.int4(app.id)])
        let others = try connection.query(
            SQLFiles.countOtherCampaigns.text, [.int4(app.id), .text(campaign.identifier)]
        ).first?.decode(Int64.self, column: 0)
        try self.limits.check(campaigns: Int(others ?? 0) + 1)
    }

    /// Returns the campaigns of an app, including archived ones, sorted by identifier.
    ///
    /// - Parameter identifier: The identifier of the only campaign to return, or `nil` for all.
    package func campaigns(app: App, only identifier: String? = nil) async throws -> [CampaignDeclaration] {
        try await self.pool.withConnection(of: app.id) { connection in
            try await connection.transaction(.readOnlyRepeatable) { connection in
                var variants: [[UInt8]: [CampaignDeclaration.Variant]] = [:]
                for row in try connection.query(SQLFiles.listCampaignVariants.text, [.int4(app.id)]) {
                    let (campaign, variant, weight, control) = try row.decode(
                        String.self, String.self, Double.self, Bool.self)
                    variants[Array(campaign.utf8), default: []].append(
                        .init(identifier: variant, weight: weight, isControl: control))
                }
                return try connection.query(
                    SQLFiles.listCampaigns.text, [.int4(app.id), .text(identifier)]
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
                    campaign.variants = variants[Array(id.utf8)] ?? []
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
            }
        }
    }
}
