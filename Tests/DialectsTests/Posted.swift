import AfterpushWire
import Dialects
import Events
import Foundation
import JSON
import Testing

/// What the dialect at a path made of a request, for tests.
struct Posted {
    /// When every request of these tests arrives: 2026-05-28T20:26:40Z.
    static let arrival = Timestamp(microseconds: 1_780_000_000_000_000)

    let submission: DialectSubmission
    let answer: DialectAnswer
    private let family: DialectFamily

    /// Reads a request as the collector does.
    init(
        _ body: String, to path: String, method: String = "POST", headers: [String: String] = [:],
        _ change: (inout DialectSettings) -> Void = { _ in }
    ) throws {
        var settings = DialectSettings(receivedAt: Self.arrival)
        change(&settings)
        let request = DialectRequest(method, path, headers: headers, body: Array(body.utf8))
        let (dialect, _) = try #require(DialectTable.find(request))
        let foreign = try dialect.parse(request)
        try dialect.verify(request, settings)
        submission = dialect.read(foreign, request, settings)
        family = dialect.family
        answer = dialect.answer(
            DialectOutcome(received: foreign.events.count, receivedAt: Self.arrival), to: request)
    }

    /// The native events, each as its fields but the ID and the time, in their order: `kind=sent notification_id=n`.
    var events: [String] {
        submission.events.map { event in
            NativeEvent.Field.allCases.filter { ![.eventID, .occurredAt].contains($0) }.compactMap { field in
                event.text(field).map { "\(field.name)=\($0)" }
            }.joined(separator: " ")
        }
    }

    /// The codes of the events that the reader of native events rejects.
    var rejections: [String] {
        get throws { try validated().rejections.map { "\($0.code.rawValue): \($0.detail)" } }
    }

    /// The names and reasons of the events that were ignored.
    var ignored: [String] { submission.ignored.map { "\($0.name): \($0.reason.rawValue)" } }

    /// The IDs of the native events.
    var ids: [String] { (try? validated().events.map { $0.eventID.uuidString.lowercased() }) ?? [] }

    /// The body of `POST /v1/events`.
    var body: String { String(decoding: submission.body(family, EventIDKey([1])), as: UTF8.self) }

    /// What the reader of native events makes of the events, with a key of scope `send`.
    private func validated() throws -> ValidatedSubmission {
        try Submission.read(Array(body.utf8), as: .json).validated(
            ValidationContext(appID: 1, scope: .send, receivedAt: Self.arrival))
    }
}
