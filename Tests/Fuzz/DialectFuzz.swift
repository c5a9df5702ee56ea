import AfterpushWire
import Dialects
import Events
import Foundation
import SeededRandom

/// Feeds requests of other systems' clients to their dialects.
///
/// Checks that nothing crashes; that a body of 20 MiB takes at most a few seconds; that the same request gives the same
/// events; that what a dialect makes of it can be read as a native body; and that no answer has a status by which a client
/// would lose or repeat events.
struct DialectFuzz {
    private var grammar: Grammar
    private let settings: DialectSettings

    init(seed: UInt64) {
        grammar = Grammar(random: SeededGenerator(seed: seed))
        settings = DialectSettings(receivedAt: Timestamp(microseconds: 1_795_000_000_000_000))
    }

    private static let routes = DialectTable.routes.filter { $0.purpose == .events }
    private static let secrets = Dictionary(
        uniqueKeysWithValues: DialectConfiguration.signedHooks.map { ($0, "secret") })
    /// The names that mean something to some dialect, as members or as values.
    private static let names = [
        "batch", "events", "data", "properties", "event", "type", "context", "device", "id", "token", "messageId",
        "timestamp", "sentAt", "sent_at", "writeKey", "api_key", "event_type", "event_properties", "user_id", "time",
        "distinct_id", "uuid", "$set", "afterpush", "kind", "notification_id", "device_id", "specversion", "source",
        "resourceLogs", "scopeLogs", "logRecords", "attributes", "key", "value", "stringValue", "eventName", "e", "co",
        "ue_pr", "eid", "aid", "metric", "object_type", "recipients", "delivery_id", "eventName", "dataFields",
        "event.kind", "message.id", "users.messages.pushnotification.Open", "segmentation", "[CLY]_push_action",
    ]
    private static let values = [
        "track", "Push Notification Tapped", "Push Notification Sent", "$push_notification_opened", "1.0",
        "com.afterpush.opened", "afterpush.action", "push", "opened", "message.push.clicked", "pushOpen", "ue", "n-1",
        "d-1",
        "2026-11-20T10:00:00Z", "1795415641969", "ios", "eyJhIjoxfQ==", "a.eyJqdGkiOiJuIiwic3ViIjoiZCJ9.c",
    ]

    func run(_ clock: FuzzClock) {
        var grammar = grammar
        var last: [UInt8] = []
        while clock.goesOn() {
            var body = Array(Self.value(&grammar, depth: 0).utf8)
            if grammar.chance(0.1) { body = Self.form(&grammar) }
            if grammar.chance(0.5) { body = grammar.mutated(body, with: last) }
            if grammar.chance(0.000_2) { body = Self.swollen(body, &grammar) }
            if body.count < 1 << 16 { last = body }
            check(request(body, &grammar), clock)
        }
    }

    private func request(_ body: [UInt8], _ grammar: inout Grammar) -> DialectRequest {
        let route = grammar.one(of: Self.routes)
        let parts = route.path.split(separator: "/").map { $0.hasPrefix("{") ? "x" : String($0) }
        var headers: [String: String] = [:]
        if grammar.chance(0.4) {
            headers["content-type"] = grammar.one(of: [
                "application/json", "application/x-protobuf", "application/x-www-form-urlencoded", "text/plain",
                "application/cloudevents+json", "application/cloudevents-batch+json", "multipart/form-data; boundary=b",
            ])
        }
        if grammar.chance(0.2) {
            headers["ce-type"] = grammar.one(of: Self.values)
            headers["ce-id"] = grammar.one(of: ["%", "%20", "\"a\\\"", "1"])
            headers["ce-specversion"] = "1.0"
        }
        let query = (0..<grammar.below(4)).map { _ in
            DialectRequest.Parameter(grammar.one(of: Self.names), grammar.one(of: Self.values))
        }
        if grammar.chance(0.2) {
            for name in ["x-cio-timestamp", "x-cio-signature"] { headers[name] = grammar.one(of: Self.values + ["00"]) }
        }
        let prefix = grammar.chance(0.2) ? "/in/" + grammar.one(of: DialectFamily.allCases).rawValue : ""
        return DialectRequest(
            route.method, prefix + "/" + parts.joined(separator: "/"), query: query,
            rawQuery: query.map { "\($0.name)=\($0.value)" }.joined(separator: "&"), headers: headers, body: body)
    }

    private static func value(_ grammar: inout Grammar, depth: Int) -> String {
        guard depth < 7 else { return "1" }
        switch grammar.below(depth < 2 ? 4 : 8) {
        case 0, 1, 2:
            let members = (0..<grammar.below(7)).map { _ in
                let value = value(&grammar, depth: depth + 1)
                return "\"\(grammar.one(of: names))\":\(value)"
            }
            return "{" + members.joined(separator: ",") + "}"
        case 3:
            return "[" + (0..<grammar.below(4)).map { _ in value(&grammar, depth: depth + 1) }.joined(separator: ",")
                + "]"
        case 4: return grammar.value()
        default: return "\"" + grammar.one(of: values) + "\""
        }
    }

    private static func form(_ grammar: inout Grammar) -> [UInt8] {
        let fields = (0..<grammar.below(6)).map { _ in
            let value = Data(value(&grammar, depth: 1).utf8)
            let text = grammar.chance(0.5) ? value.base64EncodedString() : String(decoding: value, as: UTF8.self)
            let names = ["data", "events", "app_key", "device_id", "verbose", "checksum", "checksum256"]
            return grammar.one(of: names) + "=" + text
        }
        return Array(fields.joined(separator: "&").utf8)
    }

    private static func swollen(_ body: [UInt8], _ grammar: inout Grammar) -> [UInt8] {
        guard !body.isEmpty else { return body }
        let start = grammar.below(body.count)
        let piece = body[start..<min(body.count, start + 1 + grammar.below(300))]
        var swollen = Array(body[..<start])
        while swollen.count < 20 << 20 { swollen += piece }
        return swollen + body[start...]
    }

    private func check(_ request: DialectRequest, _ clock: FuzzClock) {
        clock.count(request.body.count)
        let start = FuzzClock.work
        let first = read(request)
        let work = FuzzClock.work - start
        let limit = 2.0 + 4 * Double(request.body.count) / Double(20 << 20)
        clock.require(work < limit, "\(work) s of work at \(request.path)", request.body)
        if request.body.count < 1 << 16 {
            clock.require(first == read(request), "another result the second time at \(request.path)", request.body)
        }
        clock.note(first.events > 0 ? "with events" : first.native == nil ? "refused" : "ignored")
        clock.require(
            first.isReadable, "\(request.path) made a native body that can't be read: \(first.native ?? "")",
            request.body)
        clock.require(
            ![202, 204, 422].contains(first.status) && !(300..<400).contains(first.status),
            "status \(first.status) at \(request.path)", request.body)
    }

    private struct Result: Equatable {
        var native: String?
        var events = 0
        var isReadable = true
        var status = 200
    }

    private func read(_ request: DialectRequest) -> Result {
        guard let (dialect, _) = DialectTable.find(request) ?? DialectTable.first(request) else { return Result() }
        var result = Result()
        do throws(DialectError) {
            let body = try dialect.parse(request)
            _ = try? DialectKeys.inBody(body)
            var signed = settings
            signed.signingSecrets = Self.secrets
            try? dialect.verify(request, signed)
            let submission = dialect.read(body, request, settings)
            result.events = submission.events.count
            let native = submission.body(dialect.family, EventIDKey([1]), of: 0..<min(5_000, submission.events.count))
            result.native = String(decoding: native, as: UTF8.self)
            result.isReadable = (try? Submission.read(native, as: .json))?.count == min(5_000, submission.events.count)
            let outcome = DialectOutcome(
                received: body.events.count, accepted: result.events, ignored: submission.ignored.count,
                bytes: request.body.count, receivedAt: settings.receivedAt)
            result.status = dialect.answer(outcome, to: request).status
        } catch {
            let refusal = DialectRefusal(status: 400, title: "Bad Request", code: "body_malformed", detail: "\(error)")
            result.status = dialect.answer(refusal, to: request).status
        }
        return result
    }
}
