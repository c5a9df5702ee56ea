import AfterpushWire
import Declarations
import Events
import Foundation
import Ingest
import Storage
import TestSupport

/// An app whose events are the same at each run, ten days of them, with something for every report.
struct TerminalFixture: Sendable {
    static let shared = Task { try await TerminalFixture() }

    let app: TestApp

    private typealias Fields = [String: any Sendable]

    private init() async throws {
        app = try await TestApp()
        try await declare()
        try await store(Self.refused, scope: .ingest)
        try await store((0..<240).flatMap(Self.fromServer), scope: .send)
        try await store((0..<240).flatMap(Self.fromDevice), scope: .ingest)
        try await app.superuserValue(
            """
            insert into afterpush.dialect_events
            select \(app.app.id), 'segment', name, reason, received, mapped, ignored, 0,
                '2026-03-02 08:00Z', '2026-03-08 20:15:30Z'
            from (values ('Push Notification Tapped', '', 120, 118, 0), ('Order Completed', '', 31, 31, 0),
                ('Product Viewed', 'unknown_name', 908, 0, 908)) as t (name, reason, received, mapped, ignored)
            """)
        // The batches arrive as if the time were that of the events.
        try await app.superuserValue("update afterpush.batches set started_at = '2026-03-12 06:00Z'")
        try await app.rollUp()
    }

    private func declare() async throws {
        func json(_ object: [String: Any]) throws -> Data { try JSONSerialization.data(withJSONObject: object) }
        let config = Program.root.appending(path: "Tests/CollectorTests/Fixtures/notification-config.json")
        _ = try await app.registry.putCategories(
            CategorySet(json: Data(contentsOf: config)), app: app.app, at: Self.time("2026-03-01T00:00:00Z"))
        let variants: [[String: Any]] = [["id": "a", "control": true], ["id": "b"]]
        let campaigns: [(String, [String: Any])] = [
            ("spring-sale", ["name": "Spring sale", "variants": variants, "goal_actions": ["book"]]),
            ("how-was-it", ["name": "How was it?", "variants": [["id": "a"]]]),
            ("weekend-offer", ["name": "Weekend offer", "variants": [["id": "a"]]]),
            ("we-miss-you", ["name": "We miss you", "variants": [["id": "a"]], "holdout": 0.25]),
        ]
        for (id, campaign) in campaigns {
            try await app.registry.putCampaign(CampaignDeclaration(Array(json(campaign)), identifier: id), app: app.app)
        }
    }

    /// What a server posts about a device: three notifications, the results of the provider, and who was held out.
    private static func fromServer(_ device: Int) -> [Fields] {
        let reason = device % 24 == 5 ? "Unregistered" : device % 48 == 16 ? "BadDeviceToken" : nil
        var events = [
            event(device, "spring-sale", reason == nil ? "sent" : "failed", 0, ["reason": reason]),
            event(device, "how-was-it", "sent", 0),
            event(device, "we-miss-you", device % 4 == 3 ? "held_out" : "sent", 0),
            event(device, "weekend-offer", "sent", 0),
        ]
        if device % 40 == 7 { events.append(event(device, "sping-sale", "sent", 0)) }
        return events
    }

    /// What a device posts: most notifications are delivered, and some are responded to.
    private static func fromDevice(_ device: Int) -> [Fields] {
        var events: [Fields] = []
        let name = "spring-sale"
        if device % 24 != 5, device % 48 != 16, device % 8 != 1 {
            events.append(event(device, name, "delivered", 2))
            if device % 3 == 0 { events.append(event(device, name, "displayed", 5)) }
            let wait = 30 + device * 13
            if device % 2 == 0 ? device % 5 == 0 : device % 3 == 0 {
                events.append(event(device, name, "action", wait, ["action_identifier": "book"]))
                events.append(
                    event(
                        device, name, "converted", wait + 90,
                        ["name": "order", "value": 20 + device % 7 * 5, "currency": "EUR"]))
            } else if device % 11 == 4 {
                events.append(event(device, name, "action", wait, ["action_identifier": "later"]))
            } else if device % 7 == 3 {
                events.append(event(device, name, "opened", wait))
                events.append(event(device, nil, "app_opened", wait + 2 - 4 * 86_400))
            } else if device % 5 == 2 {
                events.append(event(device, name, "dismissed", wait * 2))
            }
        }
        let answers = ["more sizes please", "nothing, love it ❤️", "app is slow", "もっと速く", "cheaper delivery"]
        if device % 6 != 0 { events.append(event(device, "how-was-it", "delivered", 3)) }
        if device % 4 == 1 {
            let reply: Fields = ["action_identifier": "answer", "user_text": answers[device / 4 % 11 % 5]]
            events.append(event(device, "how-was-it", "text_input", 300 + device, reply))
        }
        if device % 4 != 3, device % 9 != 0 { events.append(event(device, "we-miss-you", "delivered", 4)) }
        if device % 10 != 0 { events.append(event(device, "weekend-offer", "delivered", 3)) }
        if device % 5 == (device % 4 == 3 ? 1 : 2) || device % 20 == 7 {
            events.append(event(device, "weekend-offer", "opened", 100 + device))
        }
        if device % 12 == (device % 4 == 3 ? 7 : 2) || device % 12 == 5 {
            events.append(event(device, nil, "converted", 20_000, ["name": "order", "value": 30, "currency": "EUR"]))
        }
        if device % 3 == 1 { events.append(event(device, nil, "app_opened", 40_000)) }
        return events
    }

    /// Events that are rejected.
    private static var refused: [Fields] {
        (0..<12).map {
            event($0, "spring-sale", $0 % 3 == 0 ? "tapped" : "opened", 60, ["platform": $0 % 3 == 0 ? "ios" : "tvos"])
        }
    }

    /// An event of a device, so many seconds after the campaign was sent to it.
    private static func event(
        _ device: Int, _ campaign: String?, _ kind: String, _ seconds: Int, _ fields: [String: (any Sendable)?] = [:]
    ) -> Fields {
        let days = ["spring-sale": 0, "sping-sale": 0, "how-was-it": 2, "we-miss-you": 4, "weekend-offer": 9]
        let start = time("2026-03-02T07:00:00Z").microseconds / 1_000_000
        let sent = start + Int64(86_400 * (days[campaign ?? ""] ?? 4) + device % 12 * 3_600 + device * 7)
        let platforms = ["ios", "ios", "android", "web"]
        var event: Fields = [
            "kind": kind, "device_id": "d\(device)", "platform": platforms[device % 4],
            "app_version": "2.1\(device % 2)",
            "occurred_at": Timestamp(microseconds: (sent + Int64(seconds)) * 1_000_000).description,
            "notification_id": campaign.map { "\($0)-\(device)" } ?? "", "campaign_id": campaign ?? "",
        ]
        if let campaign {
            event["variant"] = campaign == "spring-sale" && device % 2 == 1 ? "b" : "a"
            event["category_id"] = campaign == "how-was-it" ? "survey" : "flash-sale"
        }
        return EventJSON.event(event.merging(fields.compactMapValues(\.self)) { $1 })
    }

    /// Stores events as if they arrived at the end.
    private func store(_ events: [Fields], scope: Scope) async throws {
        let context = ValidationContext(
            appID: app.app.id, scope: scope, receivedAt: Self.time("2026-03-12T06:00:00Z"))
        let sink = PostgresSink(pool: app.database.ingest, logger: TestCluster.logger)
        for start in stride(from: 0, to: events.count, by: 500) {
            let body = try EventJSON.body(Array(events[start..<min(start + 500, events.count)]))
            let submission = try Submission.read(Array(body), as: .json)
            _ = try await sink.store(EventGroup([PendingSubmission(submission, context)]))
        }
    }

    private static func time(_ text: String) -> Timestamp {
        Timestamp(
            microseconds: Int64(
                ((try? Date(text, strategy: .iso8601)) ?? .distantPast).timeIntervalSince1970 * 1_000_000))
    }
}
