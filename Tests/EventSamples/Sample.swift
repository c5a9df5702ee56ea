package import AfterpushWire
package import Events

/// Events and requests as text, and their outcome.
package enum Sample {
    package static let receivedAt = Timestamp(microseconds: 1_795_255_200_000_000)

    /// The JSON of a valid event with changed members; a value is JSON, and nil omits the member.
    package static func event(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "event_id": "\"6f9619ff-8b86-4d01-b42d-00c04fc964ff\"", "kind": "\"delivered\"",
            "notification_id": "\"note\"", "device_id": "\"device\"", "occurred_at": "\"2026-11-21T09:59:00Z\"",
        ]
        members.merge(changes) { $1 }
        let text = members.sorted { $0.key < $1.key }.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
        return "{" + text.joined(separator: ",") + "}"
    }

    package static func context(
        _ scope: Scope = .ingest, verifier: (any ReceiptVerifier)? = nil, requiresReceipt: Bool = false,
        limits: Limits = Limits()
    ) -> ValidationContext {
        ValidationContext(
            appID: 7, scope: scope, receivedAt: receivedAt, verifier: verifier, requiresReceipt: requiresReceipt,
            limits: limits)
    }

    package static func validated(
        _ body: some Sequence<UInt8>, as format: BodyFormat = .json, _ context: ValidationContext = context()
    ) throws -> ValidatedSubmission {
        try Submission.read(Array(body), as: format).validated(context)
    }

    package static func quoted(_ text: String) -> String { "\"\(text)\"" }

    package static func letters(_ count: Int) -> String { quoted(String(repeating: "x", count: count)) }
}
