import Crypto
import Declarations
import Events
import Foundation
import HTTPTypes
import Hummingbird
import Ingest
import JSON
import NIOCore
import Reports

/// Serves `PUT /v1/categories`, and `GET /v1/categories`, whose categories devices register.
struct CategoryRoutes: Sendable {
    let authentication: Authentication
    let store: any DeclarationStore
    let body: JSONBody
    let documents: DeclarationDocuments

    func add(to router: Router<CollectorContext>) {
        router.put("v1/categories") { request, context in try await self.put(request, context) }
        router.get("v1/categories") { request, context in try await self.get(request, context) }
    }

    private func put(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let admission = try await authentication.changer(request, context, anyOf: [.manage])
        let set = try await body.withBody(of: request, context, from: admission.client) { text in
            try CategorySet(json: Data(text), limits: store.limits)
        }
        let change = try await store.put(set, ofApp: admission.grant.appID)
        let changed = change.changed.map { identifier, version in
            JSONText.object([("identifier", JSONText.string(identifier)), ("version", String(version))])
        }
        return try documents.response(
            JSONText.object([
                ("changed", JSONText.array(changed)),
                ("unchanged", JSONText.array(change.unchanged.map(JSONText.string))),
                ("retired", JSONText.array(change.retired.map(JSONText.string))),
            ]), to: admission.client, context)
    }

    private func get(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.reader(request, context, anyOf: [.read, .ingest])
        let values = try request.queryValues
        let format = values["format"]
        guard format == nil || format == "notification-config" else {
            throw ReportError.parameter(name: "format", detail: "must be notification-config, or absent")
        }
        var categories = try await store.categories(ofApp: grant.appID)
        if let text = values["app_version"] {
            guard let app = AppVersion(text) else {
                throw ReportError.parameter(name: "app_version", detail: "must be an app version, like 2.10.1")
            }
            categories = categories.compactMap { $0.declaration.handled(by: app, newest: $0.version) }
        }
        let text =
            format == nil
            ? JSONText.object([("categories", JSONText.array(categories.map { $0.declaration.json($0.version) }))])
            : CategoryDeclaration.notificationConfig(categories.map(\.declaration))
        let digest = SHA256.hash(data: Data(text.utf8)).prefix(16).map { String(format: "%02x", $0) }.joined()
        let head = Response.jsonHead(tag: EntityTag("\"\(digest)\""), for: request)
        if head.status == .notModified { return head }
        return try documents.response(text, in: head, to: authentication.client(grant, request, context), context)
    }
}
