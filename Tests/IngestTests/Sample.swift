import AfterpushWire
import Foundation
import Ingest
import Testing

/// Events and requests as text, and what becomes of them.
enum Sample {
    static let receivedAt = Timestamp(microseconds: 1_795_255_200_000_000)

    /// The JSON of an event that is valid but for the given members; a value is JSON, nil leaves the member out.
    static func event(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "event_id": "\"6f9619ff-8b86-4d01-b42d-00c04fc964ff\"", "kind": "\"delivered\"",
            "notification_id": "\"note\"", "device_id": "\"device\"", "occurred_at": "\"2026-11-21T09:59:00Z\"",
        ]
        members.merge(changes) { $1 }
        let text = members.sorted { $0.key < $1.key }.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }
        return "{" + text.joined(separator: ",") + "}"
    }

    static func context(
        _ scope: Scope = .ingest, verifier: (any ReceiptVerifier)? = nil, requiresReceipt: Bool = false,
        limits: Limits = Limits()
    ) -> ValidationContext {
        ValidationContext(
            appID: 7, scope: scope, receivedAt: receivedAt, verifier: verifier, requiresReceipt: requiresReceipt,
            limits: limits)
    }

    static func validated(
        _ body: some Sequence<UInt8>, as format: BodyFormat = .json, _ context: ValidationContext = context()
    ) throws -> ValidatedSubmission {
        try Submission.read(Array(body), as: format).validated(context)
    }

    /// The one event of a body that is one event.
    static func accepted(
        _ changes: [String: String?] = [:], _ context: ValidationContext = context(),
        at location: SourceLocation = #_sourceLocation
    ) throws -> Event {
        let result = try validated(event(changes).utf8, context)
        #expect(result.rejections == [], sourceLocation: location)
        return try #require(result.events.first, sourceLocation: location)
    }

    /// The one rejection of a body that is one event.
    static func rejected(
        _ changes: [String: String?] = [:], _ context: ValidationContext = context(),
        at location: SourceLocation = #_sourceLocation
    ) throws -> Rejection {
        let result = try validated(event(changes).utf8, context)
        #expect(result.events.isEmpty, sourceLocation: location)
        return try #require(result.rejections.first, sourceLocation: location)
    }

    /// Expects that an event is rejected with a code, and that the detail names the field.
    static func expectRejection(
        _ code: RejectionCode, naming field: String, _ changes: [String: String?],
        _ context: ValidationContext = context(), at location: SourceLocation = #_sourceLocation
    ) throws {
        let rejection = try rejected(changes, context, at: location)
        #expect(rejection.code == code, sourceLocation: location)
        #expect(rejection.detail.contains(field), "\(rejection.detail)", sourceLocation: location)
    }

    static func quoted(_ text: String) -> String { "\"\(text)\"" }

    static func letters(_ count: Int) -> String { quoted(String(repeating: "x", count: count)) }
}
