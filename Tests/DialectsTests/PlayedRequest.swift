import AfterpushWire
import Dialects
import Events
import JSON
import Testing

/// A request as the server gives it to the dialect that claims it.
struct PlayedRequest {
    static let receivedAt = Timestamp(microseconds: 1_795_415_700_000_000)

    let request: DialectRequest
    let dialect: any Dialect.Type
    let body: ForeignBody
    let submission: DialectSubmission

    init(
        _ path: String, _ body: String = "", method: String = "POST", query: [String: String] = [:],
        headers: [String: String] = [:], settings: DialectSettings = DialectSettings(receivedAt: receivedAt)
    ) throws {
        let query = query.sorted { $0.key < $1.key }.map { DialectRequest.Parameter($0.key, $0.value) }
        request = DialectRequest(method, path, query: query, headers: headers, body: Array(body.utf8))
        dialect = try #require(DialectTable.find(request)).dialect
        self.body = try dialect.parse(request)
        submission = dialect.read(self.body, request, settings)
    }

    var family: DialectFamily { dialect.family }
    var events: [NativeEvent] { submission.events }
    var ignored: [IgnoredEvent.Reason] { submission.ignored.map(\.reason) }
    var key: String? {
        get throws {
            try DialectKeys.inHeaders(request.headers) ?? DialectKeys.inBody(body) ?? DialectKeys.inQuery(request)
        }
    }

    /// The only event.
    var event: NativeEvent {
        get throws {
            try #require(submission.events.count == 1 && submission.ignored.isEmpty)
            return submission.events[0]
        }
    }

    /// The event as it is posted, without its ID.
    func fields(_ event: NativeEvent) throws -> [String: String] {
        let members = try #require(JSONElement(Array(event.json(family, EventIDKey([1])).utf8)).object).all
        return Dictionary(members.map { ($0.name, $0.value.string ?? $0.value.json) }) { first, _ in first }
            .filter { $0.key != "event_id" }
    }

    var fields: [String: String] { get throws { try fields(event) } }

    /// The ID of an event.
    func id(_ event: NativeEvent) throws -> String {
        try #require(JSONElement(Array(event.json(family, EventIDKey([1])).utf8)).object?["event_id"]?.text)
    }

    /// The response if all events were stored.
    func answer(rejecting rejections: [DialectOutcome.Rejection] = []) -> DialectAnswer {
        dialect.answer(
            DialectOutcome(
                received: body.events.count, accepted: submission.events.count - rejections.count,
                ignored: submission.ignored.count, rejected: rejections, bytes: request.body.count,
                receivedAt: Self.receivedAt), to: request)
    }

    /// The response to a refusal.
    static func refusal(
        _ status: Int, _ code: String = "key_unknown", _ detail: String = "no such key", to request: DialectRequest
    ) throws -> DialectAnswer {
        let dialect = try #require(DialectTable.find(request) ?? DialectTable.first(request)).dialect
        return dialect.answer(DialectRefusal(status: status, title: "Refused", code: code, detail: detail), to: request)
    }
}

extension DialectAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    var object: JSONObject { get throws { try #require(JSONElement(body).object) } }
}
