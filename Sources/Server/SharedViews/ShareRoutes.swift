import AfterpushWire
import Declarations
import Events
import Hummingbird
import Ingest
import JSON
import Logging
import Reports

/// Serves `/v1/shares`, which creates, lists and revokes links to a view, and `GET /v1/shared`, which describes the
/// view of a link to its holder.
struct ShareRoutes: Sendable {
    let authentication: Authentication
    let store: any ShareStore
    let declarations: any DeclarationStore
    let catalogue: ReportCatalogue
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.get("v1/shares") { request, context in
            let grant = try await self.authentication.reader(request, context)
            let shares = try await self.store.shares(ofApp: grant.appID)
            return Response.json("{\"shares\":" + JSONText.array(shares.map(\.json)) + "}")
        }
        router.post("v1/shares") { request, context in try await self.create(request, context) }
        router.delete("v1/shares/:id") { request, context in try await self.revoke(request, context) }
        router.get("v1/shared") { request, context in try await self.describe(request, context) }
    }

    private func create(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let admission = try await authentication.changer(request, context, anyOf: [.read])
        let asked = try await body.withBody(of: request, context, from: admission.client) { text in
            try ShareRequest(text)
        }
        let view = try SharedView(asked.view, catalogue: catalogue)
        let token = ShareToken.make()
        let share = NewShare(
            appID: admission.grant.appID, app: admission.grant.appName, keyID: admission.grant.keyID,
            hash: APIKeyCache.hash(of: token), name: asked.name, view: view.address, seconds: asked.seconds)
        guard let stored = try await store.create(share) else { throw Problem.sharesTooMany }
        context.logger.info("a view was shared", metadata: ["share": "\(stored.id)", "app": "\(stored.app)"])
        let members: [(key: String, json: String)] = [
            ("token", JSONText.string(token)), ("path", JSONText.string(ShareToken.link(token, at: ""))),
        ]
        return Response.json(JSONText.object(stored.members + members), status: .created)
    }

    private func revoke(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.changer(request, context, anyOf: [.read]).grant
        guard let id = Int32(try context.parameters.require("id")) else { throw Problem.shareUnknown }
        // Readers revoke what they shared themselves; a key of scope manage revokes all.
        let creator = grant.scope.allows(.manage) ? nil : grant.keyID
        guard try await store.revoke(id, ofApp: grant.appID, createdBy: creator) else { throw Problem.shareUnknown }
        context.logger.info("a shared view was revoked", metadata: ["share": "\(id)", "app": "\(grant.appName)"])
        return Response(status: .noContent)
    }

    /// Describes the link's view, with all that its page needs besides reports.
    private func describe(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let access = try await authentication.sharedAccess(request, context)
        let view = try SharedView(access.share.view, catalogue: catalogue)
        var members: [(key: String, json: String)] = [
            ("app", JSONText.string(access.share.app)), ("name", JSONText.string(access.share.name)),
            ("view", JSONText.string(view.address)),
            ("expires_at", JSONText.string(access.share.endsAt.description)),
        ]
        if case .report(let name) = view.page {
            members.append(("reports", JSONText.array([try catalogue.report(named: name).json])))
        }
        if let id = view.filters["campaign"] {
            let campaign = try await declarations.campaign(id, ofApp: access.grant.appID)
            members.append(("campaigns", JSONText.array([campaign].compactMap(\.?.json))))
        }
        if let id = view.filters["category"] {
            let categories = try await declarations.categories(ofApp: access.grant.appID)
                .filter { $0.declaration.identifier == id }
            members.append(("categories", JSONText.array(categories.map { $0.declaration.json($0.version) })))
        }
        return Response.json(JSONText.object(members))
    }
}

/// The body of `POST /v1/shares`.
struct ShareRequest {
    let view: String
    let name: String
    let seconds: Int64

    init(_ body: [UInt8]) throws(DeclarationError) {
        struct Entry: Decodable {
            let view: String?
            let name: String?
            let expires_in: Double?
        }
        let entry = try DeclarationError.decode(Entry.self, from: body)
        let fields = EntryFields(place: "share")
        guard let view = entry.view, !view.isEmpty else { throw fields.error("view", .fieldMissing, "is missing") }
        self.view = view
        name = try fields.identifier("name", entry.name) ?? ""
        seconds = try fields.number("expires_in", entry.expires_in, in: NewShare.lifetimes) ?? Self.usualSeconds
    }

    /// A week.
    static let usualSeconds: Int64 = 7 * 86_400
}

extension Share {
    var members: [(key: String, json: String)] {
        [
            ("id", String(id)), ("name", JSONText.string(name)), ("view", JSONText.string(view)),
            ("created_by_key", keyID.map { String($0) } ?? "null"),
            ("created_at", JSONText.string(createdAt.description)),
            ("expires_at", JSONText.string(endsAt.description)),
        ]
    }

    var json: String { JSONText.object(members) }
}
