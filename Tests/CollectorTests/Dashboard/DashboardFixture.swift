import AfterpushWire
import Declarations
import Events
import Foundation
import Storage
import TestSupport

/// A collector and an app with some weeks of known data and one campaign with hostile names.
struct DashboardFixture: Sendable {
    static let hostileCampaign = #"<script>alert(1)</script><img src=x onerror=alert(2)>"#
    static let hostileCategory = #"=HYPERLINK("http://evil.example","x")"#
    static let hostileAction = #"<b onclick="alert(3)">book</b>"#
    static let hostileReply = #"</script><script>alert(4)</script>"#

    let app: TestApp
    let collector: CollectorProcess
    let manageKey: String

    /// Starts a collector, and by default posts the data.
    ///
    /// - Parameter environment: The environment of the collector.
    init(environment: [String: String] = [:], filled: Bool = true) async throws {
        app = try await TestApp()
        let reports = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        _ = try await Program.run(["reports", "new", "late-night", "--reports", reports])
        collector = try await CollectorProcess(
            conninfo: app.conninfo, arguments: ["--reports", reports], environment: environment)
        try FileManager.default.removeItem(atPath: reports)
        manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        if filled { try await fill() }
    }

    /// Signs in and returns the session cookie.
    func session(key: String? = nil) async throws -> String {
        guard let session = try await Curl(collector.url).post("/login", ["key": key ?? app.readKey]).session else {
            throw Program.Failed(message: "signing in failed")
        }
        return session
    }

    func post(_ events: [[String: any Sendable]]) async throws {
        let response = try await TestClient(url: collector.url).post(
            "/v1/events", EventJSON.body(events), key: app.sendKey)
        guard response.status == 200, try response.rejections().isEmpty else {
            throw Program.Failed(message: "events were rejected: \(response.text.prefix(500))")
        }
    }

    private func fill() async throws {
        let categories = """
            {"categories": [
              {"identifier": "sale", "options": ["customDismissAction"], "actions": [
                {"identifier": "book", "title": "Book now", "goal": true}, {"identifier": "later", "title": "Not now"},
                {"identifier": "answer", "title": "Tell us", "text_input": {"button_title": "Send"}}]},
              {"identifier": \(JSON.string(Self.hostileCategory)), "actions": [
                {"identifier": \(JSON.string(Self.hostileAction)), "title": \(JSON.string(Self.hostileAction))},
                {"identifier": "answer", "title": "Tell us", "text_input": {}}]}]}
            """
        _ = try await app.registry.putCategories(
            CategorySet(json: Data(categories.utf8)), app: app.app,
            at: Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000)))
        var autumn = CampaignDeclaration(identifier: "autumn", name: "Autumn sale")
        autumn.category = "sale"
        autumn.variants = [
            .init(identifier: "a", weight: 1, isControl: true), .init(identifier: "b", weight: 1, isControl: false),
        ]
        try await app.registry.putCampaign(autumn, app: app.app)
        let hostile = CampaignDeclaration(identifier: Self.hostileCampaign, name: Self.hostileCampaign)
        try await app.registry.putCampaign(hostile, app: app.app)
        let start = Date(timeIntervalSinceNow: -20 * 86_400)
        try await post((0..<1_600).flatMap { Self.delivery($0, from: start) })
        try await post((0..<60).flatMap { Self.hostileStory($0, from: start) })
        try await post((0..<200).flatMap { Self.holdout($0, from: start) } + Self.orders(from: start))
        try await app.waitForRollups()
    }

    /// A delivery and its outcome.
    private static func delivery(_ n: Int, from start: Date) -> [[String: any Sendable]] {
        let sentAt = start.addingTimeInterval(Double(n) * 900)
        let platform = ["ios", "android", "web"][n % 3]
        let common: [String: any Sendable] = [
            "notification_id": "n-\(n)", "device_id": "d-\(n % 700)", "campaign_id": n % 2 == 0 ? "autumn" : "winter",
            "category_id": "sale", "variant": n / 2 % 2 == 0 ? "a" : "b", "platform": platform,
            "app_version": n % 5 == 0 ? "2.3.1" : "2.4.0",
        ]
        func event(_ kind: String, after seconds: Double, _ more: [String: any Sendable] = [:]) -> [String:
            any Sendable]
        {
            let time = sentAt.addingTimeInterval(seconds).formatted(.iso8601)
            let own: [String: any Sendable] = ["event_id": UUID().uuidString, "kind": kind, "occurred_at": time]
            return common.merging(own) { $1 }.merging(more) { $1 }
        }
        var events = [event("sent", after: 0)]
        if n % 10 != 0 { events.append(event("delivered", after: 3)) }
        let wait = Double(30 + n * 37 % 3_000)
        switch n % 16 {
        case 1, 5, 12: events.append(event("opened", after: wait))
        case 2, 3, 9: events.append(event("action", after: wait, ["action_identifier": "book"]))
        case 6 where n / 2 % 2 == 1: events.append(event("action", after: wait, ["action_identifier": "book"]))
        case 7: events.append(event("action", after: wait, ["action_identifier": "later"]))
        case 10:
            let text = n % 32 == 10 ? "Great offer" : "Too late for me"
            events.append(event("text_input", after: wait, ["action_identifier": "answer", "user_text": text]))
        case 4, 14: events.append(event("dismissed", after: wait))
        default: break
        }
        if n % 16 == 2 {
            events.append(event("converted", after: wait + 60, ["value": 9.99 + Double(n % 7), "currency": "EUR"]))
        }
        return events
    }

    /// A device that the campaign was not sent to, and for every twentieth its order.
    private static func holdout(_ n: Int, from start: Date) -> [[String: any Sendable]] {
        func event(_ kind: String, _ more: [String: any Sendable]) -> [String: any Sendable] {
            let time = start.addingTimeInterval(Double(n) * 7_200).formatted(.iso8601)
            let own: [String: any Sendable] = [
                "event_id": UUID().uuidString, "kind": kind, "device_id": "k-\(n)", "occurred_at": time,
            ]
            return own.merging(more) { $1 }
        }
        return [event("held_out", ["notification_id": "k-\(n)", "campaign_id": "autumn"])]
            + (n % 20 == 0 ? [event("converted", ["name": "order", "value": 20, "currency": "EUR"])] : [])
    }

    /// Orders of a quarter of the devices that got the campaign, after each of their deliveries.
    private static func orders(from start: Date) -> [[String: any Sendable]] {
        stride(from: 0, to: 1_600, by: 8).map { n in
            [
                "event_id": UUID().uuidString, "kind": "converted", "name": "order", "device_id": "d-\(n % 700)",
                "value": 30 + n % 5, "currency": "EUR",
                "occurred_at": start.addingTimeInterval(Double(n) * 900 + 600).formatted(.iso8601),
            ]
        }
    }

    private static func hostileStory(_ n: Int, from start: Date) -> [[String: any Sendable]] {
        let sentAt = start.addingTimeInterval(86_400 + Double(n) * 60)
        func event(_ kind: String, after seconds: Double, _ more: [String: any Sendable]) -> [String: any Sendable] {
            let own: [String: any Sendable] = [
                "event_id": UUID().uuidString, "kind": kind, "notification_id": "h-\(n)", "device_id": "h-\(n)",
                "occurred_at": sentAt.addingTimeInterval(seconds).formatted(.iso8601), "campaign_id": hostileCampaign,
                "category_id": hostileCategory, "variant": n % 2 == 0 ? "<i>a</i>" : "@b", "platform": "ios",
                "app_version": "<u>1</u>",
            ]
            return own.merging(more) { $1 }
        }
        return [event("sent", after: 0, [:])]
            + (n % 3 == 0 ? [event("action", after: 60, ["action_identifier": hostileAction])] : [])
            + (n % 3 == 1
                ? [event("text_input", after: 60, ["action_identifier": "answer", "user_text": hostileReply])] : [])
    }
}

/// A text as JSON.
private enum JSON {
    static func string(_ text: String) -> String {
        let data = (try? JSONEncoder().encode(text)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }
}
