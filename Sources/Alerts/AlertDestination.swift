import Declarations
import Events
import Foundation
import JSON

/// A place that alerts are delivered to.
package struct AlertDestination: Sendable, Hashable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A URL that gets signed JSON.
        case webhook
        /// A URL of Slack's incoming webhooks, or of a system that takes the same JSON.
        case slack
        /// A mail address.
        case email
    }

    package let kind: Kind
    /// The URL or the mail address.
    package let target: String

    package init(kind: Kind, target: String) {
        self.kind = kind
        self.target = target
    }

    /// Creates a destination from what a client sent.
    ///
    /// - Throws: `DeclarationError` if the URL or the mail address is not valid.
    init(kind: Kind, checking target: String, _ fields: EntryFields) throws(DeclarationError) {
        let isValid = kind == .email ? Self.isMailAddress(target) : Self.isURL(target)
        guard isValid else {
            throw fields.error(
                kind.rawValue, .fieldInvalid,
                kind == .email ? "is not a mail address" : "is not an http or https URL without a user and password")
        }
        self.init(kind: kind, target: target)
    }

    private static func isURL(_ text: String) -> Bool {
        guard (1...2_048).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false, parts.user == nil, parts.password == nil
        else { return false }
        return true
    }

    private static func isMailAddress(_ text: String) -> Bool {
        text.utf8.count <= 254
            && text.wholeMatch(of: /[A-Za-z0-9.!#$%&'*+\/=?^_`{|}~\-]+@[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?/)
                != nil
    }

    /// Whether the URL is one of plain HTTP.
    var isPlainHTTP: Bool { kind != .email && target.lowercased().hasPrefix("http:") }

    /// The target without what could be a secret: of a URL its host alone, of a mail address its domain.
    package var redacted: String {
        switch kind {
        case .email: "…@" + (target.split(separator: "@").last ?? "")
        case .webhook, .slack:
            (URLComponents(string: target).flatMap { parts in parts.scheme.map { "\($0)://\(parts.host ?? "")" } } ?? "")
                + "/…"
        }
    }

    /// The destination as JSON, as in a `PUT`.
    ///
    /// - Parameter isRedacted: Whether to leave out what could be a secret.
    package func json(isRedacted: Bool = false) -> String {
        JSONText.object([(kind.rawValue, JSONText.string(isRedacted ? redacted : target))])
    }
}

extension AlertDestination {
    /// The most destinations of a list.
    static let limit = 10

    /// A destination in JSON: an object with one member.
    struct Entry: Decodable {
        let webhook: String?
        let slack: String?
        let email: String?
    }

    /// Checks a list of destinations, and drops repetitions.
    static func list(_ entries: [Entry], in place: String) throws(DeclarationError) -> [AlertDestination] {
        guard entries.count <= limit else {
            throw EntryFields(place: place).error("deliver", .limitExceeded, "has more than \(limit) entries")
        }
        var list: [AlertDestination] = []
        for (index, entry) in entries.enumerated() {
            let fields = EntryFields(place: "\(place).deliver[\(index)]")
            let given = [(Kind.webhook, entry.webhook), (.slack, entry.slack), (.email, entry.email)]
                .compactMap { kind, target in target.map { (kind, $0) } }
            guard given.count == 1, let (kind, target) = given.first else {
                throw DeclarationError(
                    .entry(.fieldInvalid), "\(fields.place) must have one of webhook, slack and email")
            }
            let destination = try AlertDestination(kind: kind, checking: target, fields)
            if !list.contains(destination) { list.append(destination) }
        }
        return list
    }

    /// The list as it is stored.
    static func stored(_ list: [AlertDestination]) -> String { JSONText.array(list.map { $0.json() }) }

    /// Reads a stored list.
    static func list(stored text: String) throws -> [AlertDestination] {
        try list(try JSONDecoder().decode([Entry].self, from: Data(text.utf8)), in: "stored")
    }
}
