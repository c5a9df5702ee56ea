import Foundation
import Hummingbird
import Ingest

/// Finds out whose request it is.
struct Authentication: Sendable {
    let keys: KeyRing

    /// What the request's key stands for, if that allows one of the scopes.
    func grant(_ request: Request, anyOf scopes: [Scope]) async throws -> KeyGrant {
        guard let key = Self.key(request.headers[.authorization]), let grant = try await keys.grant(for: key) else {
            throw Problem.unauthorized
        }
        guard scopes.contains(where: grant.scope.allows) else {
            throw Problem.forbidden(scopes.first ?? .manage)
        }
        return grant
    }

    /// The key of `Bearer KEY`, or the user name of Basic, for clients that know nothing else.
    static func key(_ header: String?) -> String? {
        guard let words = header?.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true), words.count == 2
        else { return nil }
        let value = words[1].trimmingCharacters(in: .whitespaces)
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
