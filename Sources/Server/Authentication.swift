import Foundation
import Hummingbird
import Ingest

/// Finds out whose request it is.
struct Authentication: Sendable {
    let keys: KeyRing
    let rates: RateLimiter
    let clients: ClientFinder

    /// What the request's key stands for, if that allows one of the scopes.
    ///
    /// An address that shows many keys nobody knows has to wait: each of them costs a question to the database.
    func grant(_ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]) async throws -> KeyGrant {
        guard let key = Self.key(request.headers[.authorization]), let grant = try await grant(key, request, context)
        else { throw Problem.unauthorized }
        guard scopes.contains(where: grant.scope.allows) else {
            throw Problem.forbidden(scopes.first ?? .manage)
        }
        return grant
    }

    /// Lets a request in that may add something, as far as its key's scope and rate go.
    func admit(_ request: Request, _ context: CollectorContext, anyOf scopes: [Scope]) async throws -> Admission {
        let admission = Admission(
            grant: try await grant(request, context, anyOf: scopes), address: address(request, context))
        try rates.admit(admission.grant, from: admission.address)
        return admission
    }

    /// Where the request comes from, as far as rates go.
    private func address(_ request: Request, _ context: CollectorContext) -> ClientAddress {
        clients.address(peer: context.peer, request.headers)
    }

    private func grant(_ key: String, _ request: Request, _ context: CollectorContext) async throws -> KeyGrant? {
        if keys.knows(key) { return try await keys.grant(for: key) }
        let address = address(request, context)
        try rates.admitStranger(from: address)
        let grant = try await keys.grant(for: key)
        if grant != nil { rates.welcome(from: address) }
        return grant
    }

    /// The key of `Bearer KEY`, or the user name of Basic, for clients that know nothing else.
    static func key(_ header: String?) -> String? {
        guard let words = header?.split(separator: " "), words.count == 2 else { return nil }
        let value = String(words[1])
        switch words[0].lowercased() {
        case "bearer": return value
        case "basic":
            guard let data = Data(base64Encoded: value) else { return nil }
            let user = String(decoding: data, as: UTF8.self).prefix { $0 != ":" }
            return user.isEmpty ? nil : String(user)
        default: return nil
        }
    }
}
