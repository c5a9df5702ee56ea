import Alerts
import ArgumentParser
import Declarations
import Dialects
import Foundation
import JSON
import Receipts
import Server
import Storage

/// What is declared for an app, as one JSON document: the policy about receipts, categories, campaigns, alert rules and
/// mappings.
///
/// It has no keys, no signing secrets and no events. The destinations of a rule are in it with their whole addresses,
/// which may be secret, as those of Slack are.
struct AppDocument: Sendable {
    private let name: String
    /// The policy about receipts, or `nil` to keep that of the app.
    private let policy: ReceiptPolicy?
    private let categories: CategorySet?
    private let campaigns: [(declaration: CampaignDeclaration, isArchived: Bool)]
    private let alerts: [AlertRule]
    private let mappings: [UInt8]?

    /// Returns the document of an app.
    static func text(of app: App, _ session: DatabaseSession) async throws -> String {
        let registry = session.registry
        let alerts = AlertStore(pool: session.database.owner)
        let categories = try await registry.categories(app: app)
        return JSONText.object([
            ("app", JSONText.string(app.name)), ("receipts", JSONText.string(app.receiptPolicy.rawValue)),
            ("categories", JSONText.array(categories.map { $0.0.json($0.1) })),
            ("campaigns", JSONText.array(try await registry.campaigns(app: app).map(\.json))),
            ("alerts", JSONText.array(try await alerts.alerts(app: app.id).compactMap { Self.text(of: $0.rule) })),
            ("mappings", try await registry.dialectConfiguration(app: app.id).shownJSON),
        ])
    }

    /// Returns a rule in the form that `alerts put` reads, or `nil` for a built-in one that is on: each app has it.
    private static func text(of rule: AlertRule) -> String? {
        guard rule.isBuiltIn else { return rule.json(isRedacted: false) }
        return rule.isEnabled ? nil : JSONText.object([("name", JSONText.string(rule.name)), ("enabled", "false")])
    }

    /// Reads a document.
    ///
    /// - Parameter name: The app's name, if it is not the document's.
    init(_ data: Data, name: String?) throws {
        guard let members = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw ValidationError("the file is not a JSON object")
        }
        let known = ["app", "receipts", "categories", "campaigns", "alerts", "mappings"]
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw ValidationError("the file has the unknown member \(unknown); it is not from `apps export`")
        }
        guard let name = name ?? members["app"] as? String else {
            throw ValidationError("the file names no app; name it with --name")
        }
        self.name = name
        policy = try members["receipts"].map { value in
            guard let policy = (value as? String).flatMap(ReceiptPolicy.init) else {
                throw ValidationError("receipts must be optional or required")
            }
            return policy
        }
        categories = try members["categories"].map {
            try CategorySet(json: JSONSerialization.data(withJSONObject: ["categories": $0]))
        }
        campaigns = try Self.entries(of: "campaigns", members).map { entry in
            guard let id = entry["id"] as? String else { throw ValidationError("a campaign has no id") }
            return (
                try CampaignDeclaration(Self.bytes(entry), identifier: id), entry["archived"] as? Bool == true
            )
        }
        alerts = try Self.entries(of: "alerts", members).map { entry in
            guard let name = entry["name"] as? String else { throw ValidationError("an alert rule has no name") }
            return try AlertRule(Self.bytes(entry), name: name)
        }
        mappings = try members["mappings"].map { value in
            guard let object = value as? [String: Any] else { throw ValidationError("mappings must be an object") }
            return try Self.bytes(object)
        }
        if let mappings { _ = try DialectConfiguration(mappings) }
    }

    private static func entries(of name: String, _ members: [String: Any]) throws -> [[String: Any]] {
        guard let value = members[name] else { return [] }
        guard let entries = value as? [[String: Any]] else {
            throw ValidationError("\(name) must be an array of objects")
        }
        return entries
    }

    private static func bytes(_ object: [String: Any]) throws -> [UInt8] {
        Array(try JSONSerialization.data(withJSONObject: object))
    }

    /// Declares everything, and returns a line for each kind of declaration.
    func declare(_ session: DatabaseSession) async throws -> String {
        let registry = session.registry
        let app: App
        if let found = try await registry.apps().first(where: { $0.name == name }) {
            app = found
        } else {
            app = try await registry.createApp(name)
        }
        // What protects the app comes first. What opens it comes last, once nothing can fail any more.
        if policy == .required { try await registry.setReceiptPolicy(.required, of: app) }
        var lines = ["\(app.name)\treceipts \((policy ?? app.receiptPolicy).rawValue)"]
        if let categories {
            let change = try await registry.putCategories(categories, app: app, at: .now)
            let count = change.changed.count + change.unchanged.count
            lines.append("categories\t\(count), of which \(change.changed.count) changed")
        }
        for campaign in campaigns {
            try await registry.putCampaign(campaign.declaration, app: app)
            if campaign.isArchived {
                try await registry.archiveCampaign(campaign.declaration.identifier, app: app)
            }
        }
        lines.append("campaigns\t\(campaigns.count)")
        let store = AlertStore(pool: session.database.owner)
        try await store.install()
        for rule in alerts { try await store.put(rule, app: app.id) }
        lines.append("alerts\t\(alerts.count)")
        if let mappings {
            let current = try await registry.dialectConfiguration(app: app.id)
            let configuration = try DialectConfiguration(mappings, replacing: current)
            try await registry.put(configuration, app: app.id)
            lines.append("mappings\t\(configuration.mappings.mappings.count)")
        }
        if policy == .optional { try await registry.setReceiptPolicy(.optional, of: app) }
        return lines.joined(separator: "\n")
    }
}
