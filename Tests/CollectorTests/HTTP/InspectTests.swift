import AfterpushWire
import Declarations
import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests `GET /v1/inspect` and `afterpush inspect`.
@Suite struct InspectTests {
    private typealias Object = [String: Any]

    private static let shared = Task { try await HTTPTestCollector(environment: [:]) }

    private let app: TestApp
    private let collector: CollectorProcess
    private let client: TestClient

    init() async throws {
        let shared = try await Self.shared.value
        // An app for each test, in the same database.
        app = try await TestApp(named: "app-\(UUID().uuidString.prefix(8))", conninfo: shared.app.conninfo)
        collector = shared.process
        client = TestClient(url: collector.url)
    }

    private func post(_ events: [[String: any Sendable]], key: String? = nil, sentAt: Date? = nil) async throws {
        var body: [String: any Sendable] = ["events": events]
        if let sentAt { body["sent_at"] = sentAt.formatted(.iso8601) }
        let data = try JSONSerialization.data(withJSONObject: body)
        let response = try await client.post("/v1/events", data, key: key ?? app.sendKey)
        #expect([200, 422].contains(response.status), "\(response.text)")
        try await app.waitForRollups()
    }

    private func inspect(_ id: String, text: Bool = false, key: String? = nil) async throws -> Object {
        let query = [("id", id)] + (text ? [("include_text", "true")] : [])
        let response = try await client.get(TestClient.path("/v1/inspect", query), key: key ?? app.readKey)
        #expect(response.status == 200, "\(response.text)")
        return try response.json()
    }

    private static func deliveries(_ inspection: Object) -> [Object] { inspection["deliveries"] as? [Object] ?? [] }
    private static func events(_ delivery: Object?) -> [Object] { delivery?["events"] as? [Object] ?? [] }
    private static func sentences(_ object: Object?, _ name: String) -> String {
        (object?[name] as? [String] ?? []).joined(separator: " ")
    }

    private static func ago(_ seconds: Double) -> String {
        Date(timeIntervalSinceNow: -seconds).formatted(.iso8601)
    }

    @Test func `each of its ids tells the whole story of a delivery`() async throws {
        _ = try await app.registry.putCategories(
            CategorySet(
                json: Data(
                    #"""
                    {"categories": [{"identifier": "sale", "actions": [
                      {"identifier": "book", "title": "Book", "goal": true}, {"identifier": "no", "title": "No"}]}]}
                    """#.utf8)), app: app.app, at: Timestamp(microseconds: 0))
        let action = UUID().uuidString.lowercased()
        try await post([
            EventJSON.event([
                "kind": "sent", "occurred_at": Self.ago(600), "campaign_id": "autumn", "variant": "b",
                "category_id": "sale", "platform": "ios",
            ]),
            EventJSON.event(["kind": "delivered", "occurred_at": Self.ago(590)]),
            EventJSON.event([
                "event_id": action, "kind": "action", "action_identifier": "book", "occurred_at": Self.ago(300),
                "properties": ["screen": "x"],
            ]),
        ])
        for (id, meaning) in [("n1", "notification"), ("d1", "device"), (action, "event")] {
            let inspection = try await inspect(id)
            #expect(inspection["found"] as? [String] == [meaning], "\(id): \(inspection)")
            let deliveries = Self.deliveries(inspection)
            #expect(deliveries.count == 1, "\(id): \(inspection)")
            let delivery = try #require(deliveries.first)
            #expect(delivery["notification_id"] as? String == "n1" && delivery["device_id"] as? String == "d1")
            #expect(delivery["outcome"] as? String == "responded" && delivery["converted"] as? Bool == true)
            #expect(delivery["campaign_id"] as? String == "autumn" && delivery["variant"] as? String == "b")
            #expect(delivery["counts_as"] as? [String] == ["sent", "delivered", "confirmed", "acted", "responded"])
            let explanation = Self.sentences(delivery, "explanation")
            for words in [
                "It counts as responded.", "the action book is a goal", "in the base sent and in the base confirmed",
                "Its campaign autumn is not declared",
            ] { #expect(explanation.contains(words), "\(explanation)") }
            let events = Self.events(delivery)
            #expect(events.compactMap { $0["kind"] as? String } == ["sent", "delivered", "action"])
            #expect((events.last?["properties"] as? Object)?["screen"] as? String == "x")
            #expect(events.allSatisfy { $0["counted"] as? Bool == true })
            let byDelivery = try await inspect(try #require(delivery["delivery_id"] as? String))
            #expect(byDelivery["found"] as? [String] == ["delivery"])
            #expect(Self.events(Self.deliveries(byDelivery).first).count == 3)
        }
    }

    @Test func `a corrected clock, a refused send and events of the device alone are explained`() async throws {
        let now = Date.now
        try await post(
            [EventJSON.event(["notification_id": "late", "occurred_at": Self.ago(7_300)])], key: app.ingestKey,
            sentAt: now.addingTimeInterval(-7_200))
        var token = EventJSON.event(["kind": "token_registered", "device_id": "alone", "occurred_at": Self.ago(50)])
        token["notification_id"] = nil
        try await post([
            EventJSON.event([
                "kind": "failed", "notification_id": "refused", "reason": "Unregistered", "occurred_at": Self.ago(60),
            ]),
            token,
        ])
        let alone = try #require(Self.deliveries(try await inspect("alone")).first)
        #expect(Self.sentences(Self.events(alone).first, "notes").contains("belongs to no delivery"), "\(alone)")
        let late = try #require(Self.deliveries(try await inspect("late")).first)
        let notes = Self.sentences(Self.events(late).first, "notes")
        #expect(notes.contains("The device's clock was 72") && notes.contains("s slow"), "\(notes)")
        #expect(Self.sentences(late, "explanation").contains("in no base"), "\(late)")
        #expect(Self.sentences(late, "explanation").contains("No event of it is verified"), "\(late)")
        let refused = try #require(Self.deliveries(try await inspect("refused")).first)
        #expect(refused["outcome"] as? String == "failed" && refused["counts_as"] as? [String] == ["failed"])
        #expect(Self.sentences(refused, "explanation").contains("neither as pending nor as no_response"))
    }

    @Test func `rejected events are found by what they say, with the code and the reason`() async throws {
        let id = UUID().uuidString.lowercased()
        try await post([
            EventJSON.event([
                "event_id": id, "kind": "exploded", "notification_id": "broken-\"1\"", "user_text": "secret",
            ]),
            EventJSON.event(["event_id": "no", "notification_id": "broken-2", "device_id": "d-broken"]),
        ])
        for wanted in [id, "broken-\"1\""] {
            let inspection = try await inspect(wanted)
            let rejected = inspection["rejected_events"] as? [Object] ?? []
            #expect(rejected.compactMap { $0["code"] as? String } == ["kind_unknown"], "\(wanted): \(inspection)")
            #expect((rejected.first?["event"] as? String)?.contains("secret") == false)
            #expect(
                Self.sentences(inspection, "summary").contains("No stored event has this id, but rejected events do"))
        }
        #expect((try await inspect("d-broken")["rejected_events"] as? [Object])?.count == 1)
        let nothing = try await inspect("never-seen")
        #expect(Self.deliveries(nothing).isEmpty && (nothing["found"] as? [String])?.isEmpty == true)
        let summary = Self.sentences(nothing, "summary")
        #expect(summary.contains("No event of this app was ever stored"), "\(summary)")
        #expect(summary.contains("event_id_invalid 1") && summary.contains("kind_unknown 1"), "\(summary)")
    }

    @Test func `reply texts are shown only on request, as in exports`() async throws {
        try await post([
            EventJSON.event(["kind": "sent", "notification_id": "ask", "occurred_at": Self.ago(90)]),
            EventJSON.event([
                "kind": "text_input", "action_identifier": "answer", "user_text": "my secret answer",
                "notification_id": "ask", "occurred_at": Self.ago(60),
            ]),
        ])
        let without = try await client.get("/v1/inspect?id=ask", key: app.readKey)
        #expect(!without.text.contains("my secret"), "\(without.text)")
        #expect(without.text.contains("include_text=true shows it"), "\(without.text)")
        let event = try #require(Self.events(Self.deliveries(try await inspect("ask", text: true)).first).last)
        #expect(event["user_text"] as? String == "my secret answer")
        // A text that still waits for the decision about its category is in no report, and not here either.
        try await TestCluster.script(
            """
            with moved as (delete from afterpush.replies where app_id = \(app.app.id) returning *)
            insert into afterpush.waiting_replies (app_id, delivery_id, event_id, device_time, verified, user_text, stored_at,
                waits_until)
            select app_id, delivery_id, event_id, device_time, verified, user_text, stored_at, now() + interval '1 day'
            from moved
            """, on: app.conninfo)
        let waiting = try await client.get("/v1/inspect?id=ask&include_text=true", key: app.readKey)
        #expect(!waiting.text.contains("my secret") && waiting.text.contains("not kept, or not released"))
    }

    @Test func `nothing of an erased device is shown, not even while it is being erased`() async throws {
        try await post([
            EventJSON.event([
                "kind": "sent", "notification_id": "gone", "device_id": "erased-1", "occurred_at": Self.ago(90),
            ]),
            EventJSON.event([
                "kind": "sent", "notification_id": "gone", "device_id": "kept-1", "occurred_at": Self.ago(90),
            ]),
        ])
        #expect(Self.deliveries(try await inspect("gone")).count == 2)
        // Suppressed, and not erased yet, because the collector's worker looks for work less often.
        try await TestCluster.script(
            "select afterpush.request_erasure(\(app.app.id), 'erased-1')", on: app.conninfo)
        let left = Self.deliveries(try await inspect("gone"))
        #expect(left.filter { $0["device_id"] is String }.compactMap { $0["device_id"] as? String } == ["kept-1"])
        let erased = try await inspect("erased-1")
        #expect(erased["erased"] as? Bool == true && Self.deliveries(erased).isEmpty)
        #expect(Self.sentences(erased, "summary").contains("device_suppressed"))
    }

    @Test func `a key sees its own app, and one that can't read sees nothing`() async throws {
        try await post([
            EventJSON.event(["notification_id": "mine", "device_id": "shared", "occurred_at": Self.ago(9)])
        ])
        let other = try await TestApp(named: "other-\(UUID().uuidString.prefix(8))", conninfo: app.conninfo)
        for id in ["mine", "shared"] {
            #expect(Self.deliveries(try await inspect(id, key: other.readKey)).isEmpty)
        }
        let delivery = try #require(Self.deliveries(try await inspect("mine")).first?["delivery_id"] as? String)
        #expect(Self.deliveries(try await inspect(delivery, key: other.readKey)).isEmpty)
        for key in [app.ingestKey, app.sendKey] {
            #expect(try await client.get("/v1/inspect?id=mine", key: key).status == 403)
        }
        #expect(try await client.get("/v1/inspect?id=mine", key: nil).status == 401)
        for query in ["", "?id=", "?id=a&it=b", "?id=a&include_text=yes", "?id=" + String(repeating: "x", count: 257)] {
            let response = try await client.get("/v1/inspect" + query, key: app.readKey)
            #expect(response.status == 400 && response.text.contains("parameter_invalid"), "\(query): \(response.text)")
        }
    }

    @Test func `the answer is bounded, and says that there is more`() async throws {
        let many = (0..<25).map { number in
            EventJSON.event([
                "kind": "sent", "notification_id": "m-\(number)", "device_id": "busy", "occurred_at": Self.ago(60),
            ])
        }
        let opens = (0..<60).map { _ in
            EventJSON.event(["notification_id": "often", "device_id": "d-often", "occurred_at": Self.ago(30)])
        }
        try await post(many + opens)
        let busy = try await inspect("busy")
        #expect(Self.deliveries(busy).count == 20 && busy["more_deliveries"] as? Bool == true)
        let often = try await inspect("often")
        #expect(Self.events(Self.deliveries(often).first).count == 50 && often["more_deliveries"] as? Bool == false)
        #expect(Self.sentences(Self.deliveries(often).first, "explanation").contains("more events than the first 50"))
    }

    /// The rules of the inspector are those of the reports: over all deliveries they add up to the same numbers.
    @Test func `the outcomes of single deliveries add up to the numbers of conversion`() async throws {
        var random = SystemRandomNumberGenerator()
        let kinds = ["sent", "failed", "delivered", "opened", "action", "dismissed", "converted", "replaced", "read"]
        var campaign = CampaignDeclaration(identifier: "short", name: "Short")
        campaign.responseWindow = .seconds(3_600)
        campaign.goalActions = ["book"]
        try await app.registry.putCampaign(campaign, app: app.app)
        var events: [[String: any Sendable]] = []
        for number in 0..<60 {
            let age = Double([600, 5_000, 20_000, 400_000].randomElement(using: &random) ?? 600)
            let campaign = ["short", "other"].randomElement(using: &random) ?? "short"
            for kind in kinds where kind == "sent" && number % 3 > 0 || Int.random(in: 0..<4, using: &random) == 0 {
                var event = EventJSON.event([
                    "kind": kind, "notification_id": "r-\(number)", "device_id": "r-\(number)", "campaign_id": campaign,
                    "occurred_at": Self.ago(age - Double.random(in: 0..<300, using: &random)),
                ])
                if kind == "action" {
                    event["action_identifier"] = ["book", "no"].randomElement(using: &random) ?? "no"
                }
                events.append(event)
            }
        }
        try await post(events)
        var sums: [String: Int] = [:]
        for number in 0..<60 {
            for delivery in Self.deliveries(try await inspect("r-\(number)")) {
                for state in delivery["counts_as"] as? [String] ?? [] { sums[state, default: 0] += 1 }
                let outcome = delivery["outcome"] as? String ?? ""
                if ["no_response", "pending"].contains(outcome) { sums[outcome, default: 0] += 1 }
                if delivery["converted"] as? Bool == true { sums["converted", default: 0] += 1 }
            }
        }
        let rows = try await client.get("/v1/reports/conversion?min_n=1", key: app.readKey).json()["rows"] as? [Object]
        let row = try #require(rows?.first)
        for column in [
            "sent", "failed", "delivered", "confirmed", "opened", "acted", "dismissed", "read", "responded",
            "converted",
            "no_response", "pending",
        ] { #expect(sums[column, default: 0] == (row[column] as? NSNumber)?.intValue, "\(column): \(sums) \(row)") }
    }

    @Test func `the command prints the story, and the same JSON`() async throws {
        try await post([
            EventJSON.event([
                "kind": "sent", "notification_id": "n-terminal", "device_id": "device-1", "occurred_at": Self.ago(60),
            ])
        ])
        let environment = ["AFTERPUSH_DATABASE_URL": app.conninfo]
        let text = try await Program.run(["inspect", "n-terminal", "--app", app.app.name], environment: environment)
        #expect(text.status == 0, "\(text.error)")
        for words in [
            "This is the id of a notification.", "notification n-terminal, device device-1", "counts as pending",
        ] {
            #expect(text.output.contains(words), "\(text.output)")
        }
        let json = try await Program.run(
            ["inspect", "n-terminal", "--app", app.app.name, "--format", "json"], environment: environment)
        let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? Object
        #expect(Self.deliveries(document ?? [:]).first?["outcome"] as? String == "pending", "\(json.output)")
        #expect(try await Program.run(["inspect", "", "--app", app.app.name], environment: environment).status == 2)
    }
}
