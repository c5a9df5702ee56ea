import AfterpushClient
import AfterpushWire
package import Foundation

/// The categories and campaigns of a plan, which its app declares to a collector.
package struct FleetDeclarations: Sendable {
    private let plan: FleetPlan

    /// A declaration that the collector didn't accept.
    private struct DeclarationError: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "the collector did not accept PUT \(path): \(reason)" }
    }

    private struct Campaign: Encodable {
        struct Variant: Encodable {
            let id: String
            let weight: Double
            let control: Bool
        }

        let name: String
        let category: String
        let variants: [Variant]
        let startsAt: Timestamp
        let holdout: Double?

        enum CodingKeys: String, CodingKey {
            case name
            case category = "category_id"
            case variants
            case startsAt = "starts_at"
            case holdout
        }
    }

    package init(_ plan: FleetPlan) {
        self.plan = plan
    }

    /// Declares the categories and campaigns.
    ///
    /// - Parameter key: A key with scope `manage`.
    package func put(to base: URL, key: String) async throws {
        let network = AfterpushClient.defaultTransport()
        try await put(Data(FleetPlan.demoCategories.utf8), base, "v1/categories", key, network)
        for campaign in plan.campaigns {
            let variants = campaign.variants.map {
                Campaign.Variant(id: $0.id, weight: $0.weight, control: $0.isControl)
            }
            let body = Campaign(
                name: campaign.name, category: campaign.category, variants: variants, startsAt: campaign.startsAt,
                holdout: campaign.holdout > 0 ? campaign.holdout : nil)
            try await put(JSONEncoder().encode(body), base, "v1/campaigns/\(campaign.id)", key, network)
        }
    }

    private func put(
        _ body: Data, _ base: URL, _ path: String, _ key: String, _ network: any EventTransport
    ) async throws {
        let request = TransportRequest(
            method: "PUT", url: base.appending(path: path),
            headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"], body: body, timeout: 60)
        let status: Int
        do {
            status = try await network.send(request).status
        } catch {
            throw DeclarationError(path: path, reason: "no response, \(error)")
        }
        guard [200, 201, 204].contains(status) else { throw DeclarationError(path: path, reason: "status \(status)") }
    }
}
