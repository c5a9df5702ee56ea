import Foundation
import JSON

/// Where a request's key can be.
package enum DialectKeys {
    private static let publicPrefix = "ap_ingest_"
    private static let secretPrefixes = ["ap_send_", "ap_read_", "ap_manage_"]

    /// Whether a text has the form of a key, so that it is no other system's token. A key has about 60 bytes.
    package static func isKey(_ text: String) -> Bool {
        text.isShort && (begins(text, publicPrefix) || isSecret(text))
    }

    /// Whether a text begins as a key that is no public one, and must not be repeated.
    package static func isSecret(_ text: String) -> Bool { secretPrefixes.contains { begins(text, $0) } }

    /// Whether a text goes on after a prefix, by its bytes: a sender can make each of its characters long.
    private static func begins(_ text: String, _ prefix: String) -> Bool {
        text.utf8.count > prefix.utf8.count && text.utf8.starts(with: prefix.utf8)
    }

    /// The key in the headers: of Bearer, the user or password of Basic, or `X-Write-Key` up to a colon.
    ///
    /// Texts that don't have the form of a key are passed over, because some clients send a token of their own there. A
    /// key in a header goes before one in the body, where some clients mask it.
    package static func inHeaders(_ headers: [String: String]) -> String? {
        var candidates: [String] = []
        let words = headers["authorization"]?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        if words.count == 2, words[0].lowercased() == "bearer" { candidates.append(trimmed(words[1])) }
        if words.count == 2, words[0].lowercased() == "basic" {
            let decoded = Base64Text.decode(trimmed(words[1])).map { String(lenient: $0) }
            // Some senders put the bare token there.
            candidates += (decoded ?? "").split(separator: ":", maxSplits: 1).map { trimmed(String($0)) }
            candidates.append(trimmed(words[1]))
        }
        if words.count == 1 { candidates.append(words[0]) }
        if let key = headers["x-write-key"] { candidates.append(trimmed(String(key.prefix { $0 != ":" }))) }
        return candidates.first(where: isKey)
    }

    /// The key in the query.
    package static func inQuery(_ request: DialectRequest) -> String? {
        let names = ["writeKey", "token", "api_key", "api_secret", "app_key", "aid", "key"]
        return names.lazy.compactMap { request.parameter($0) }.compactMap(keyPart).first(where: isKey)
    }

    /// The key in the body, or `nil` if it states none.
    ///
    /// - Throws: `DialectError` if it states several.
    package static func inBody(_ body: ForeignBody) throws(DialectError) -> String? {
        let keys = Set(body.keys.compactMap(keyPart).filter(isKey))
        guard keys.count < 2 else { throw .malformed("the events state different keys") }
        return keys.first
    }

    /// Returns the part of a text that can be a key, or `nil` if the text is too long.
    ///
    /// A key is sometimes written as `KEY:anything`, because a client accepts no text without a colon.
    private static func keyPart(_ text: String) -> String? {
        guard text.isShort else { return nil }
        return trimmed(String(decoding: text.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self))
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
