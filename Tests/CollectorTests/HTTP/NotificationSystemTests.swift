import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests each supported notification system, from the events that a device or server posts to the reports.
@Suite struct NotificationSystemTests {
    private static let collector = Task {
        let conninfo = try await TestCluster.database()
        return (process: try await CollectorProcess(conninfo: conninfo), conninfo: conninfo)
    }

    private let app: TestApp
    private let manageKey: String
    private let client: TestClient

    init() async throws {
        let collector = try await Self.collector.value
        app = try await TestApp(named: UUID().uuidString, conninfo: collector.conninfo)
        manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        client = TestClient(url: collector.process.url)
    }

    private typealias Fields = [String: any Sendable]
    private static let now = Date().formatted(.iso8601)

    /// An event of a delivery to a separate device, on iOS.
    private func event(_ kind: String?, _ device: String, _ fields: Fields = [:]) -> Fields {
        var event: Fields = [
            "event_id": UUID().uuidString, "notification_id": "n", "device_id": device, "occurred_at": Self.now,
        ]
        event["kind"] = kind
        return event.merging(fields) { $1 }
    }

    private func response(_ action: String, _ device: String, _ fields: Fields = [:]) -> Fields {
        event(nil, device, ["action_identifier": action].merging(fields) { $1 })
    }

    @discardableResult
    private func post(_ events: [Fields], key: String? = nil) async throws -> [Int: String] {
        let answer = try await client.post("/v1/events", EventJSON.body(events), key: key ?? app.ingestKey)
        #expect([200, 422].contains(answer.status), "\(answer.text)")
        return try answer.rejections()
    }

    /// Posts that notifications of a category were sent to some devices.
    private func send(_ category: String?, to devices: String..., more: Fields = [:]) async throws {
        var fields: Fields = ["platform": "ios"]
        fields["category_id"] = category
        let sent = devices.map { event("sent", $0, fields.merging(more) { $1 }) }
        #expect(try await post(sent, key: app.sendKey) == [:])
    }

    private func declare(_ json: String) async throws {
        let answer = try await client.put("/v1/categories", Data(json.utf8), key: manageKey)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private func rows(_ report: String, _ query: String = "") async throws -> [[String: Any]] {
        try await app.waitForRollups()
        let floor = report == "timeseries" ? "" : "min_n=1&"
        let answer = try await client.get("/v1/reports/\(report)?\(floor)\(query)", key: app.readKey)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json()["rows"] as? [[String: Any]] ?? []
    }

    /// Columns of the single row of `conversion`.
    private func conversion(_ columns: String..., query: String = "") async throws -> [Int] {
        let row = try await rows("conversion", query).first
        return columns.map { row?[$0] as? Int ?? -1 }
    }

    private static let opened = "com.apple.UNNotificationDefaultActionIdentifier"
    private static let dismissed = "com.apple.UNNotificationDismissActionIdentifier"
    private static let shop = """
        {"categories":[
          {"identifier":"sale","options":["customDismissAction"],"actions":[
            {"identifier":"book","title":"Book now","options":["foreground"]},
            {"identifier":"answer","title":"Tell us","text_input":{"button_title":"Send","placeholder":"What?"}}]},
          {"identifier":"plain","actions":[{"identifier":"book","title":"Book"}]}]}
        """

    @Test func `S1: taps, dismissals, buttons and foreground presentations are counted`() async throws {
        try await declare(Self.shop)
        try await send("sale", to: "a", "b", "c", "d")
        try await post([
            response(Self.opened, "a", ["app_state": "background"]), response(Self.dismissed, "b"),
            response("book", "c"), event("displayed", "d", ["surface": "banner", "app_state": "active"]),
        ])
        #expect(
            try await conversion("sent", "opened", "dismissed", "acted", "displayed", "responded") == [
                4, 1, 1, 1, 1, 3,
            ])
    }

    @Test func `S2: typed text is a reply of its delivery and is stored separately from the event`() async throws {
        try await declare(Self.shop)
        try await send("sale", to: "a", "b")
        try await post([response("answer", "a", ["user_text": "Cheaper flights"])])
        #expect(try await conversion("replied", "reply_n", "acted") == [1, 2, 1])
        let reply = try await rows("replies", "include_text=true").first
        #expect(reply?["text"] as? String == "Cheaper flights" && reply?["action_id"] as? String == "answer")
    }

    @Test func `S3: devices get back categories and actions with everything that they register`() async throws {
        let json = """
            {"categories":[{"identifier":"sale","options":["allowInCarPlay","hiddenPreviewsShowTitle"],\
            "intent_identifiers":["INSendMessageIntent"],"actions":[\
            {"identifier":"pay","title":"Pay","options":["authenticationRequired","foreground"]},\
            {"identifier":"say","title":"Say","text_input":{"button_title":"Send","placeholder":"What?"}}]}]}
            """
        try await declare(json)
        let own = try await client.get("/v1/categories", key: app.ingestKey)
        #expect(own.text.contains(#""intent_identifiers":["INSendMessageIntent"]"#), "\(own.text)")
        let answer = try await client.get("/v1/categories?format=notification-config", key: app.ingestKey)
        let config = try answer.json()["NotificationConfig"] as? [String: [String: [String: Any]]]
        let category = config?["UNNotificationCategory"]?["sale"]
        #expect(category?["options"] as? Int == 6 && category?["actions"] as? [String] == ["pay", "say"])
        #expect(category?["intentIdentifiers"] as? [String] == ["INSendMessageIntent"])
        let actions = config?["UNNotificationAction"]
        #expect(actions?["pay"]?["options"] as? Int == 5)
        #expect(actions?["say"]?["textInput"] as? [String: String] == ["buttonTitle": "Send", "placeholder": "What?"])
        // Both formats describe the same set.
        let again = try await client.put("/v1/categories", answer.body, key: manageKey)
        #expect(again.text == #"{"changed":[],"unchanged":["sale"],"retired":[]}"#)
    }

    @Test
    func
        `S4: the dismissal rate is a share of the deliveries with observable dismissals, and their coverage is reported`()
        async throws
    {
        try await declare(Self.shop)
        try await send("sale", to: "a", "b")
        try await send("plain", to: "c", "d", "e")
        try await send("plain", to: "f", more: ["platform": "android"])
        try await send(nil, to: "g", "h")
        try await post([response(Self.dismissed, "a"), response(Self.dismissed, "c"), event("dismissed", "f")])
        #expect(try await conversion("base_n", "dismissed", "dismiss_n") == [8, 3, 3])
        let row = try await rows("conversion").first
        #expect(
            row?["dismiss_rate"] as? Double == 2.0 / 3 && row?["dismiss_coverage"] as? Double == 3.0 / 8,
            "\(row ?? [:])")
    }

    @Test func `S5: a button that is added later has no earlier delivery in its denominator`() async throws {
        let file = Program.root.appending(path: "Tests/CollectorTests/Fixtures/notification-config.json")
        let first = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        try await declare(first)
        let tag = try await client.get("/v1/categories", key: app.ingestKey).headers["etag"]
        try await declare(
            first.replacing(#"["book", "later"]"#, with: #"["book", "gift"]"#)
                .replacing(#""later": { "identifier": "later""#, with: #""gift": { "identifier": "gift""#))
        let get = try await client.get("/v1/categories", key: app.ingestKey, headers: ["If-None-Match": tag ?? ""])
        #expect(get.status == 200 && get.text.contains("gift"), "\(get.text)")
        try await send("flash-sale", to: "a", "b", "c", more: ["category_version": 1])
        try await send("flash-sale", to: "d", "e", more: ["category_version": 2])
        try await post([response("later", "a"), response("gift", "d"), response("gift", "b")])
        let rows = try await rows("actions", "category=flash-sale")
        let counts = rows.map { row in
            let isDeclared = row["declared"] as? Bool == true
            return "\(row["action_id"] ?? "") \(isDeclared) \(row["offered_n"] ?? "") \(row["acted"] ?? "")"
        }
        #expect(Set(counts).isSuperset(of: ["book true 5 0", "later true 3 1", "gift true 2 1"]), "\(counts)")
    }

    @Test func `S6: confirmations, failed downloads and expiries of the service extension are counted`() async throws {
        try await send(nil, to: "a", "b", "c", "d")
        try await post([
            event("delivered", "a"), event("attachment_failed", "b", ["reason": "404"]),
            event("extension_expired", "c"),
        ])
        #expect(try await conversion("delivered", "confirmed") == [3, 1])
        let failures = try await rows("failures")
        let counts = failures.map { "\($0["kind"] ?? "") \($0["reason"] as? String ?? "-") \($0["deliveries"] ?? "")" }
        #expect(Set(counts) == ["attachment_failed 404 1", "extension_expired - 1"], "\(counts)")
    }

    @Test func `S7: responses that a content extension handles or forwards and its media events are counted`()
        async throws
    {
        try await declare(Self.shop)
        try await send("sale", to: "a", "b")
        #expect(
            try await post([
                response("book", "a", ["handling": "extension", "surface": "content_extension"]),
                response("book", "a", ["handling": "forwarded"]), event("media_played", "b"),
                event("media_paused", "b"),
                response("book", "b", ["handling": "nobody"]),
            ]) == [4: "field_invalid"])
        let book = try await rows("actions", "category=sale").first { $0["action_id"] as? String == "book" }
        #expect(book?["acted"] as? Int == 1 && book?["total"] as? Int == 2)
        let times = try await rows("timeseries", "by=day").first
        #expect(times?["media_played"] as? Int == 1 && times?["media_paused"] as? Int == 1)
        #expect(
            try await app.value(
                "select string_agg(handling, ' ' order by handling) from afterpush.events "
                    + "where app_id = \(app.app.id)") == "extension forwarded")
    }

    @Test func `S8: the app itself reports local notifications as sent`() async throws {
        let local = ["time_interval", "calendar", "location"].map { event("sent", $0, ["trigger": $0]) }
        let pushed = event("sent", "p", ["trigger": "push"])
        #expect(try await post(local + [pushed]) == [3: "scope_insufficient"])
        try await post([response(Self.opened, "calendar", ["trigger": "calendar"])])
        #expect(try await conversion("sent", "opened") == [3, 1])
    }

    @Test func `S9: a payload is checked, and the provider's response becomes sent and failed events`() async throws {
        try await declare(Self.shop)
        let payload = #"{"aps":{"alert":"Hi","category":"sale","mutable-content":1},"msgid":"n-9","campaign":"spring"}"#
        let check = try await client.post("/v1/payloads/check?device_id=a", Data(payload.utf8), key: app.sendKey)
        let codes = (try check.json()["findings"] as? [[String: String]] ?? []).compactMap { $0["code"] }
        #expect(Set(codes).isSuperset(of: ["category_known", "dismiss_observable", "delivery_confirmable"]))
        let answers: [(String, Int, String?)] = [
            ("a", 200, nil), ("b", 410, "Unregistered"), ("c", 400, "BadDeviceToken"),
        ]
        let results = answers.map { device, status, reason in
            var result: Fields = [
                "notification_id": "n-9", "device_id": device, "provider": "apns", "status": status,
                "occurred_at": Self.now, "campaign_id": "spring",
            ]
            result["reason"] = reason
            return result
        }
        let body = try JSONSerialization.data(withJSONObject: ["results": results])
        #expect(try await client.post("/v1/provider-results", body, key: app.sendKey).status == 200)
        #expect(try await conversion("sent", "failed", query: "campaign=spring") == [1, 2])
        let reasons = try await rows("failures").filter { $0["kind"] as? String == "failed" }
        #expect(Set(reasons.compactMap { $0["reason"] as? String }) == ["Unregistered", "BadDeviceToken"])
    }

    @Test func `S10: token and permission changes are counted`() async throws {
        try await post([
            event("token_registered", "a"), event("token_registered", "b"), event("permission_granted", "a"),
            event("token_failed", "c", ["reason": "no network"]), event("permission_revoked", "b"),
        ])
        let counts = try await rows("failures").map { "\($0["kind"] ?? "") \($0["devices"] ?? "")" }
        #expect(
            Set(counts) == ["token_registered 2", "token_failed 1", "permission_granted 1", "permission_revoked 1"],
            "\(counts)")
    }

    @Test func `S11: read receipts are counted, and a replaced notification leaves the denominators of responses`()
        async throws
    {
        try await declare(Self.shop)
        let earlier = Date(timeIntervalSinceNow: -10 * 86_400).formatted(.iso8601)
        let old: Fields = ["occurred_at": earlier]
        try await send("sale", to: "a", "b", "c", "d", more: old)
        try await post([
            event("read", "a", old), event("replaced", "b", old), event("replaced", "c", old),
            response(Self.opened, "c", old),
        ])
        // c had a response before it was replaced, so only b leaves the bases of dismissal and of no response.
        #expect(try await conversion("read", "dismiss_n", "closed_n", "base_n") == [1, 3, 3, 4])
    }

    /// The service extension decrypts the content and reads the receipt on the device, which the collector can't see.
    /// The client library's tests cover that; this one covers the receipt.
    @Test func `S12: a response is verified if its receipt was signed for its device`() async throws {
        let order: Fields = ["notification_id": "n", "device_id": "a", "campaign_id": "spring"]
        let body = try JSONSerialization.data(withJSONObject: ["receipts": [order]])
        let answer = try await client.post("/v1/receipts", body, key: app.sendKey)
        let receipt = try #require((try answer.json()["receipts"] as? [String])?.first)
        try await send(nil, to: "a", "b")
        #expect(
            try await post([
                response(Self.opened, "a", ["receipt": receipt]), response(Self.opened, "b"),
                response(Self.opened, "c", ["receipt": receipt]),
                response(Self.opened, "d", ["receipt": String(receipt.dropLast(4)) + "AAAA"]),
            ]) == [2: "receipt_mismatch", 3: "receipt_invalid"])
        #expect(try await conversion("opened") == [2])
        #expect(try await conversion("opened", query: "verified=true") == [1])
    }

    @Test func `S13: a survey's text and a one-tap confirmation count as conversions`() async throws {
        try await declare(
            """
            {"categories":[
              {"identifier":"survey","actions":[
                {"identifier":"answer","title":"Tell us","goal":true,"text_input":{"button_title":"Send"}},
                {"identifier":"never","title":"Stop","options":["destructive"]}]},
              {"identifier":"visit","actions":[
                {"identifier":"confirm","title":"Confirm"},
                {"identifier":"cancel","title":"Cancel","options":["destructive"]}]}]}
            """)
        try await send("survey", to: "a", "b")
        try await send("visit", to: "c", "d", "e")
        try await post([
            response("answer", "a", ["user_text": "Great"]), response("never", "b"), response("confirm", "c"),
            response("cancel", "d"),
            event("converted", "e", ["name": "purchase", "value": 12.5, "currency": "EUR"]),
        ])
        let converted = try await rows("conversion", "by=category").map { $0["converted"] as? Int }
        #expect(converted == [1, 2])
    }
}
