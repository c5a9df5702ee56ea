import AfterpushWire
import Declarations
import Foundation
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Posts the model's declarations to a collector.
struct ModelDeclarations {
    private let declarations: Declarations
    private let app: TestApp
    private let client: TestClient

    init(_ declarations: Declarations, _ app: TestApp, _ client: TestClient) {
        self.declarations = declarations
        self.app = app
        self.client = client
    }

    func put() async throws {
        try await putCategories()
        for campaign in declarations.campaigns {
            var declared = CampaignDeclaration(identifier: campaign.id.text, name: campaign.id.text)
            declared.goalActions = campaign.goalActions.map(\.text)
            declared.responseWindow = .seconds(campaign.windowSeconds)
            declared.conversionWindow = campaign.conversionWindowSeconds.map { .seconds($0) }
            declared.plannedDeliveries = campaign.plannedDeliveries.map(Int64.init)
            declared.minimumEffect = campaign.minimumEffect
            declared.holdout = campaign.holdout
            declared.variants = campaign.variants.map {
                CampaignDeclaration.Variant(identifier: $0.id.text, weight: $0.weight, isControl: $0.isControl)
            }
            try await app.registry.putCampaign(declared, app: app.app)
        }
        try await dateDeclarations()
        try await postSends()
    }

    /// Gives the declarations the times of the model.
    private func dateDeclarations() async throws {
        func text(_ time: Int?) -> String {
            time.map { "'\(Timestamp(microseconds: Int64($0)))'" } ?? "null"
        }
        let name = { (id: Identifier) in "'\(id.text.replacingOccurrences(of: "'", with: "''"))'" }
        // In the order in which the rollup worker locks campaigns.
        var changes = declarations.campaigns.sorted { $0.id < $1.id }.map { campaign in
            """
            update afterpush.campaigns
            set goals_declared_at = \(text(campaign.goalsDeclaredAt)), weights_declared_at = \(text(campaign.weightsDeclaredAt))
            where app_id = \(app.app.id) and campaign_id = \(name(campaign.id));
            """
        }
        changes += declarations.categories.filter { $0.declaredAt != nil }.map { category in
            """
            update afterpush.categories set created_at = \(text(category.declaredAt))
            where app_id = \(app.app.id) and category_id = \(name(category.category)) and version = \(category.version);
            """
        }
        guard !changes.isEmpty else { return }
        try await TestCluster.script(changes.joined(separator: "\n"), on: app.conninfo)
    }

    private func postSends() async throws {
        let sends = declarations.sends.map { send in
            var object: [String: Any] = [
                "send_id": send.sendID.uuidString, "campaign_id": send.campaign.text, "count": send.count,
                "failed": send.failed, "sent_at": Timestamp(microseconds: Int64(send.sentAt)).description,
            ]
            object["category_id"] = send.category?.text
            object["category_version"] = send.categoryVersion
            object["variant"] = send.variant?.text
            object["platform"] = send.platform?.text
            return object
        }
        let body = try JSONSerialization.data(withJSONObject: ["sends": sends])
        // Repeating a declaration changes nothing.
        for expected in [["accepted": sends.count, "duplicates": 0], ["accepted": 0, "duplicates": sends.count]] {
            let response = try await client.post("/v1/sends", body, key: app.sendKey)
            #expect(response.status == 200, "\(response.text)")
            #expect(try response.json() as? [String: Int] == expected)
        }
    }

    /// A set has a single effective time, so a category that changes is put in a set of its own.
    private func putCategories() async throws {
        var current: [Identifier: CategoryVersion] = [:]
        for set in declarations.categoryPuts {
            let kept = Set(set.map(\.category))
            current = current.filter { kept.contains($0.key) }
            if set.isEmpty { try await put(current, effectiveFrom: nil) }
            for version in set {
                current[version.category] = version
                try await put(current, effectiveFrom: version.effectiveFrom)
            }
        }
    }

    private func put(_ versions: [Identifier: CategoryVersion], effectiveFrom: Int?) async throws {
        var document: [String: Any] = ["categories": versions.values.map(Self.object)]
        document["effective_from"] = effectiveFrom.map { Timestamp(microseconds: Int64($0)).description }
        let set = try CategorySet(json: try JSONSerialization.data(withJSONObject: document))
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        _ = try await app.registry.putCategories(set, app: app.app, at: now)
    }

    private static func object(_ version: CategoryVersion) -> [String: Any] {
        [
            "identifier": version.category.text,
            "options": version.options,
            "actions": version.actions.map { action -> [String: Any] in
                var object: [String: Any] = [
                    "identifier": action.id.text, "title": action.title, "options": action.options,
                    "goal": action.goal,
                ]
                if action.textInput { object["text_input"] = ["button_title": "Send", "placeholder": "..."] }
                return object
            },
        ]
    }
}
