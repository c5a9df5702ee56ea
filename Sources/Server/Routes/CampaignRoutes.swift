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
    let documents: DeclarationDocuments

    func add(to router: Router<CollectorContext>) {
        router.get("v1/campaigns") { request, context in
            try await self.list(request, context)
        }
        router.get("v1/campaigns/:id") { request, context in
            let grant = try await self.authentication.reader(request, context)
            let identifier = try Self.identifier(context)
            guard let campaign = try await self.store.campaign(identifier, ofApp: grant.appID) else {
                throw Problem(.notFound, "not_found", "no campaign with this id is declared")
            }
            return try self.documents.response(
                campaign.json, to: self.authentication.client(grant, request, context), context)
        }
        router.put("v1/campaigns/:id") { request, context in
            let admission = try await self.authentication.changer(request, context, anyOf: [.manage])
            let identifier = try Self.identifier(context)
            let campaign = try await self.body.withBody(of: request, context, from: admission.client) { text in
                try CampaignDeclaration(text, identifier: identifier)
            }
            try await self.store.put(campaign, ofApp: admission.grant.appID)
            let stored = try await self.store.campaign(identifier, ofApp: admission.grant.appID)
            return try self.documents.response((stored ?? campaign).json, to: admission.client, context)
        }
    }

    private func list(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.reader(request, context)
        let archived = try request.queryValues["archived"]
        guard [nil, "true", "false"].contains(archived) else {
            throw ReportError.parameter(name: "archived", detail: "must be true or false")
        }
        let part: @Sendable (_ last: CampaignDeclaration?) async throws -> [CampaignDeclaration] = { [store] last in
            try await store.campaigns(
                ofApp: grant.appID, after: last?.identifier, includingArchived: archived == "true",
                limit: DeclarationDocuments.campaignsInPart)
        }
        let client = authentication.client(grant, request, context)
        // As few first parts are in memory as there are connections, so none needs a share before it is read.
        let first = try await part(nil)
        guard first.count == DeclarationDocuments.campaignsInPart else {
            let list = JSONText.object([("campaigns", JSONText.array(first.map(\.json)))])
            return try documents.response(list, to: client, context)
        }
        return try documents.list(to: client, context) { writer in
            var campaigns = first
            var separator = "{\"campaigns\":["
            while !campaigns.isEmpty {
                for campaign in campaigns {
                    try await writer.write(Array((separator + campaign.json).utf8))
                    separator = ","
                }
                let isLast = campaigns.count < DeclarationDocuments.campaignsInPart
                campaigns = isLast ? [] : try await part(campaigns.last)
            }
            try await writer.write(Array("]}".utf8))
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
