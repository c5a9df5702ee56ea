import AfterpushWire
package import Declarations
import Events
import Hummingbird
import Ingest
import JSON
import Reports

/// Serves `PUT` and `GET /v1/campaigns/{id}`, and `GET /v1/campaigns`.
struct CampaignRoutes: Sendable {
    let authentication: Authentication
    let store: any DeclarationStore
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.get("v1/campaigns") { request, context in
            let grant = try await self.authentication.reader(request, context)
            let archived = try request.queryValues["archived"]
            guard [nil, "true", "false"].contains(archived) else {
                throw ReportError.parameter(name: "archived", detail: "must be true or false")
            }
            let includesArchived = archived == "true"
            let campaigns = try await self.store.campaigns(ofApp: grant.appID, only: nil)
                .filter { includesArchived || !$0.isArchived }
            return Response.json(JSONText.object([("campaigns", JSONText.array(campaigns.map(\.json)))]))
        }
        router.get("v1/campaigns/:id") { request, context in
            let grant = try await self.authentication.reader(request, context)
            let identifier = try Self.identifier(context)
            guard let campaign = try await self.store.campaigns(ofApp: grant.appID, only: identifier).first else {
                throw Problem(.notFound, "not_found", "no campaign with this id is declared")
            }
            return Response.json(campaign.json)
        }
        router.put("v1/campaigns/:id") { request, context in
            let admission = try await self.authentication.changer(request, context, anyOf: [.manage])
            let identifier = try Self.identifier(context)
            let campaign = try await self.body.withBody(of: request, context, from: admission.client) { text in
                try CampaignDeclaration(text, identifier: identifier)
            }
            try await self.store.put(campaign, ofApp: admission.grant.appID)
            let stored = try await self.store.campaigns(ofApp: admission.grant.appID, only: identifier).first
            return Response.json((stored ?? campaign).json)
        }
    }

    private static func identifier(_ context: CollectorContext) throws -> String {
        guard let identifier = PathText.decode(try context.parameters.require("id")) else {
            throw Problem(.badRequest, "field_invalid", "the campaign id in the path is not UTF-8")
        }
        return identifier
    }
}

extension CampaignDeclaration {
    /// The campaign as JSON, in the form of a `PUT`, with the times of its declaration, which a `PUT` ignores.
    package var json: String {
        let weightsDeclaredAt = Self.text(weightsDeclaredAt)
        let variants = variants.map { variant in
            JSONText.object([
                ("id", JSONText.string(variant.identifier)), ("weight", Self.number(variant.weight)),
                ("control", String(variant.isControl)), ("declared_at", weightsDeclaredAt),
            ])
        }
        return JSONText.object([
            ("id", JSONText.string(identifier)), ("name", JSONText.string(name)),
            ("category_id", category.map(JSONText.string) ?? "null"), ("variants", JSONText.array(variants)),
            ("goal_actions", JSONText.array(goalActions.map(JSONText.string))),
            ("response_window", JSONText.string(Self.text(responseWindow))),
            ("conversion_window", JSONText.string(Self.text(conversionWindow ?? responseWindow))),
            ("starts_at", Self.text(startsAt)),
            ("planned_deliveries", plannedDeliveries.map(String.init) ?? "null"),
            ("minimum_effect", minimumEffect.map(Self.number) ?? "null"),
            ("holdout", holdout.map(Self.number) ?? "null"), ("archived", String(isArchived)),
            ("declared_at", Self.text([goalsDeclaredAt, self.weightsDeclaredAt].compactMap(\.self).max())),
            ("goals_declared_at", Self.text(goalsDeclaredAt)), ("weights_declared_at", weightsDeclaredAt),
        ])
    }

    private static func text(_ time: Timestamp?) -> String {
        time.map { JSONText.string($0.description) } ?? "null"
    }

    private static func text(_ window: Duration) -> String {
        let seconds = window.components.seconds
        if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
        return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
    }
}
