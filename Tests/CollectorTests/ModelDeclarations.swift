import AfterpushWire
import Foundation
import Ingest
import ReferenceModel
import Storage
import TestSupport

/// Declares to the product what the model knows as declared.
struct ModelDeclarations {
    private let declarations: Declarations
    private let app: TestApp

    init(_ declarations: Declarations, _ app: TestApp) {
        self.declarations = declarations
        self.app = app
    }

    func put() async throws {
        try await putCategories()
        for campaign in declarations.campaigns {
            var declared = Registry.Campaign(identifier: campaign.id.text, name: campaign.id.text)
            declared.goalActions = campaign.goalActions.map(\.text)
            declared.responseWindow = .seconds(campaign.windowSeconds)
            try await app.registry.putCampaign(declared, app: app.app)
        }
        let sends = declarations.sends.map { send in
            var declared = Registry.DeclaredSend(
                id: send.sendID, campaign: send.campaign.text, count: Int64(send.count), failed: Int64(send.failed),
                sentAt: Timestamp(microseconds: Int64(send.sentAt)))
            declared.category = send.category?.text
            declared.categoryVersion = send.categoryVersion.map { Int32($0) }
            declared.variant = send.variant?.text
            declared.platform = send.platform?.text
            return declared
        }
        try await app.registry.declareSends(sends, app: app.app)
        // The same declaration again changes nothing.
        try await app.registry.declareSends(sends, app: app.app)
    }

    /// Sets state one time from which they are in force, so a category that changes is put alone.
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
