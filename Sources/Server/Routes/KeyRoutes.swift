import AfterpushWire
import Events
import Foundation
import Hummingbird
import Ingest
import JSON
import Logging

/// Serves `/v1/keys`: lists, creates and revokes the keys of an app.
///
/// Keys of scope `manage` are created only on the command line, so that a stolen one can't outlive its revocation by
/// making others.
struct KeyRoutes: Sendable {
    let authentication: Authentication
    let store: any KeyStore
    let body: JSONBody
    let documents: DeclarationDocuments

    private struct Entry: Decodable {
        let scope: String?
    }

    func add(to router: Router<CollectorContext>) {
        router.get("v1/keys") { request, context in
            let grant = try await self.authentication.reader(request, context, anyOf: [.manage])
            let keys = try await self.store.keys(ofApp: grant.appID)
            return try self.documents.response(
                JSONText.object([("keys", JSONText.array(keys.map { JSONText.object($0.members) }))]),
                to: self.authentication.client(grant, request, context), context)
        }
        router.post("v1/keys") { request, context in
            let admission = try await self.authentication.changer(request, context, anyOf: [.manage])
            let scope = try await self.body.withBody(of: request, context, from: admission.client) { text in
                try Self.scope(text)
            }
            let (key, record) = try await self.store.createKey(ofApp: admission.grant.appID, scope: scope)
            context.logger.info(
                "an API key was created",
                metadata: ["key": "\(record.number)", "scope": "\(scope.rawValue)", "by": "\(admission.grant.keyID)"])
            return Response.json(
                JSONText.object(record.members + [("key", JSONText.string(key))]), status: .created)
        }
        router.delete("v1/keys/:id") { request, context in
            let admission = try await self.authentication.changer(request, context, anyOf: [.manage])
            guard let number = Int32(try context.parameters.require("id")),
                try await self.store.revokeKey(number, appID: admission.grant.appID)
            else { throw Problem(.notFound, "not_found", "the app has no key with this number") }
            context.logger.info(
                "an API key was revoked", metadata: ["key": "\(number)", "by": "\(admission.grant.keyID)"])
            return Response(status: .noContent)
        }
    }

    private static func scope(_ text: [UInt8]) throws -> Scope {
        guard !JSONText.hasManyCombiningMarks(text),
            let entry = try? JSONDecoder().decode(Entry.self, from: Data(text))
        else {
            throw Problem(.badRequest, "body_malformed", "the body is not a JSON object with a text 'scope'")
        }
        let allowed: [Scope] = [.ingest, .send, .read]
        if entry.scope == Scope.manage.rawValue {
            throw Problem(
                .badRequest, "field_invalid",
                "key.scope manage is not possible here; create such a key with: afterpush keys create --scope manage")
        }
        guard let scope = allowed.first(where: { $0.rawValue == entry.scope }) else {
            let names = allowed.map(\.rawValue).joined(separator: ", ")
            throw Problem(.badRequest, "field_invalid", "key.scope must be one of \(names)")
        }
        return scope
    }
}

extension APIKeyRecord {
    fileprivate var members: [(String, String)] {
        [
            ("id", String(number)), ("scope", JSONText.string(scope.rawValue)), ("ends_in", JSONText.string(hint)),
            ("created_at", JSONText.string(createdAt.description)),
            ("revoked_at", revokedAt.map { JSONText.string($0.description) } ?? "null"),
        ]
    }
}
