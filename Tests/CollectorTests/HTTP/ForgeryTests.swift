import AfterpushWire
import Declarations
import Events
import Foundation
import Receipts
import Storage
import TestSupport
import Testing

/// Tests what a forger can do who has the public ingest key, and knows notifications and devices.
@Suite struct ForgeryTests {
    private static let shared = Task {
        let conninfo = try await TestCluster.database()
        return (conninfo, try await CollectorProcess(conninfo: conninfo))
    }

    private let app: TestApp
    private let client: TestClient
    /// An hour in which everything happens, two days ago.
    private let hour = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 3_600).rounded(.down) * 3_600)
        .addingTimeInterval(-48 * 3_600)

    init() async throws {
        let (conninfo, collector) = try await Self.shared.value
        app = try await TestApp(named: "forged \(UUID().uuidString)", conninfo: conninfo)
        client = TestClient(url: collector.url)
    }

    // MARK: - A forger and the genuine events

    private typealias Fields = [String: any Sendable]

    private func event(_ kind: String, _ number: Int, at seconds: Double = 0, _ fields: Fields = [:]) -> Fields {
        EventJSON.event([
            "kind": kind, "notification_id": "n\(number)", "device_id": "d\(number)",
            "occurred_at": Timestamp(microseconds: Int64((hour.timeIntervalSince1970 + seconds) * 1_000_000))
                .description,
        ]).merging(fields) { $1 }
    }

    private func send(_ events: [Fields], key: String) async throws -> TestClient.Response {
        let response = try await client.post("/v1/events", EventJSON.body(events), key: key)
        #expect(response.status == 200, "\(response.text)")
        return response
    }

    private func serve(_ events: [Fields]) async throws {
        #expect(try await send(events, key: app.sendKey).rejections() == [:])
    }

    private func forge(_ events: [Fields]) async throws {
        #expect(try await send(events, key: app.ingestKey).rejections() == [:])
    }

    private func receipt(
        _ number: Int, device: String?, campaign: String? = nil, category: String? = nil,
        issuedAt seconds: Double = -60
    ) async throws -> String {
        let issued = Int64(hour.timeIntervalSince1970 + seconds) * 1_000_000
        let claims = ReceiptClaims(
            app: app.app.name, notificationID: "n\(number)", deviceID: device,
            issuedAt: Timestamp(microseconds: issued),
            expiresAt: Timestamp(microseconds: issued + 30 * 86_400_000_000), campaignID: campaign,
            categoryID: category)
        return try await app.receipts([claims])[0]
    }

    /// The rows of a report.
    private func rows(_ report: String, _ query: [(String, String)] = []) async throws -> [[String: Any]] {
        try await app.waitForRollups()
        let response = try await client.get(
            TestClient.path("/v1/reports/\(report)", query + [("min_n", "1")]), key: app.readKey)
        #expect(response.status == 200, "\(response.text)")
        return try response.json()["rows"] as? [[String: Any]] ?? []
    }

    private func campaigns(verified: Bool) async throws -> [String] {
        try await rows("conversion", [("by", "campaign"), ("verified", "\(verified)")]).map { row in
            let name = row["campaign_id"] as? String ?? "unknown"
            return "\(name) \(row["confirmed"] ?? "") \(row["converted"] ?? "")"
        }
    }

    // MARK: - Groups and time

    @Test(arguments: [false, true])
    func `a forged confirmation moves no verified delivery to another campaign (A1)`(verified: Bool) async throws {
        for number in 1...5 {
            let receipt = try await receipt(number, device: "d\(number)", campaign: "real")
            try await forge([
                event("delivered", number, ["receipt": receipt]),
                event("action", number, at: 9, ["receipt": receipt, "action_identifier": "yes"]),
            ])
        }
        try await forge((1...5).map { event("delivered", $0, ["campaign_id": "forged"]) })
        #expect(try await campaigns(verified: verified) == ["real 5 5"])
    }

    @Test(arguments: [false, true])
    func `a forged confirmation outranks no verified response (A1b)`(verified: Bool) async throws {
        let receipt = try await receipt(1, device: "d1", campaign: "aaa")
        try await forge([event("action", 1, ["receipt": receipt, "action_identifier": "yes"])])
        try await forge([event("delivered", 1, ["campaign_id": "zzz"])])
        #expect(try await campaigns(verified: verified) == ["aaa \(verified ? 0 : 1) 1"])
    }

    @Test(arguments: [false, true])
    func `a forged confirmation outranks no verified response to a send that states nothing`(verified: Bool)
        async throws
    {
        try await serve((1...4).map { event("sent", $0) })
        for number in 1...4 {
            let receipt = try await receipt(number, device: "d\(number)", campaign: "real")
            try await forge([event("opened", number, at: 9, ["receipt": receipt, "platform": "ios"])])
        }
        try await forge((1...2).map { event("delivered", $0, ["campaign_id": "forged", "platform": "android"]) })
        let rows = try await rows("conversion", [("by", "campaign,platform"), ("verified", "\(verified)")])
        #expect(rows.map { $0["campaign_id"] as? String } == ["real"], "\(rows)")
        #expect(rows.map { $0["platform"] as? String } == ["ios"], "\(rows)")
        #expect(rows.map { $0["opened"] as? Int } == [4], "\(rows)")
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a local trigger does not outrank the server's send, and does not move its time (A2, A3)`(
        verified: Bool
    ) async throws {
        try await serve([event("sent", 1, ["campaign_id": "real"])])
        try await forge([
            event("sent", 1, at: -30 * 86_400, ["campaign_id": "a forged one", "trigger": "time_interval"])
        ])
        let day = Timestamp(microseconds: Int64(hour.timeIntervalSince1970) * 1_000_000).description
        let selected = try await rows(
            "conversion", [("by", "campaign"), ("from", day), ("verified", "\(verified)")])
        #expect(selected.map { $0["campaign_id"] as? String } == ["real"])
        #expect(selected.map { $0["sent"] as? Int } == [1])
    }

    @Test func `a receipt of one's own verifies no local trigger (A11)`() async throws {
        try await serve([event("sent", 1, ["campaign_id": "real"])])
        let receipt = try await receipt(1, device: "d1")
        try await forge([
            event("sent", 1, ["campaign_id": "a forged one", "trigger": "time_interval", "receipt": receipt])
        ])
        #expect(try await campaigns(verified: true) == ["real 0 0"])
    }

    @Test(arguments: [false, true])
    func `a receipt without a device moves no verified delivery (A12)`(verified: Bool) async throws {
        let receipt = try await receipt(1, device: "d1", campaign: "real")
        try await forge([event("delivered", 1, ["receipt": receipt, "platform": "ios"])])
        let unbound = try await self.receipt(1, device: nil, issuedAt: -86_400)
        try await forge([
            event("sent", 1, ["receipt": unbound, "campaign_id": "a forged one", "trigger": "calendar"]),
            event("delivered", 1, ["receipt": unbound, "campaign_id": "a forged one", "platform": "android"]),
        ])
        let rows = try await rows("conversion", [("by", "campaign,platform"), ("verified", "\(verified)")])
        #expect(rows.map { "\($0["campaign_id"] ?? "") \($0["platform"] ?? "")" } == ["real ios"])
        let hours = try await self.rows("conversion", [("by", "hour"), ("verified", "\(verified)")])
        let issued = Timestamp(microseconds: Int64(hour.timeIntervalSince1970 - 3_600) * 1_000_000).description
        #expect(hours.map { $0["hour"] as? String } == [issued])
    }

    @Test func `a forged category or platform changes no verified conversion (A5)`() async throws {
        let categories = """
            {"categories":[{"identifier":"order","actions":[
                {"identifier":"yes","title":"Yes","goal":true},{"identifier":"later","title":"Later"}
            ]}]}
            """
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        _ = try await app.registry.putCategories(CategorySet(json: Data(categories.utf8)), app: app.app, at: now)
        try await serve([
            event("sent", 1, ["category_id": "order", "platform": "ios"]),
            event("action", 1, at: 5, ["action_identifier": "later"]),
        ])
        try await forge([event("delivered", 1, ["category_id": "a", "platform": "android"])])
        for verified in ["false", "true"] {
            let row = try await rows("conversion", [("verified", verified)])[0]
            #expect(row["converted"] as? Int == 0 && row["dismiss_n"] as? Int == 0, "\(row)")
        }
    }

    // MARK: - Bases

    @Test(arguments: ["overview", "conversion", "heatmap", "fatigue"])
    func `a local trigger does not change the base of other deliveries (A4)`(report: String) async throws {
        try await forge((1...4).map { event("delivered", $0) } + [event("opened", 1, at: 5)])
        func rates() async throws -> [[String?]] {
            try await rows(report).map { row in
                ["base", "base_n", "open_rate", "response_rate", "metric", "value"].map { row[$0].map { "\($0)" } }
            }
        }
        let before = try await rates()
        try await forge([event("sent", 9, at: 7_200, ["trigger": "time_interval"])])
        let after = try await rates()
        // The trigger is a send, and only rates of sends may count it.
        let ofSends = ["sent", "delivery_rate", "confirmation_coverage"]
        let others = before.filter { !ofSends.contains($0[4] ?? "") }
        #expect(others.allSatisfy(after.contains), "\(before)\n\(after)")
    }

    @Test(arguments: [false, true])
    func `local sends of confirmed deliveries don't change their base`(hasReceipts: Bool) async throws {
        for number in 1...20 {
            let fields: Fields =
                hasReceipts ? ["receipt": try await receipt(number, device: "d\(number)")] : [:]
            try await forge([event("delivered", number, fields)])
        }
        try await serve([event("sent", 1), event("sent", 2)])
        let before = try await rows("conversion")
        #expect(before.map { $0["base"] as? String } == ["confirmed"] && before.map { $0["base_n"] as? Int } == [20])
        try await forge((3...20).map { event("sent", $0, ["trigger": "time_interval"]) })
        let after = try await rows("conversion")
        #expect(after.map { $0["base"] as? String } == ["confirmed"], "\(after)")
        #expect(after.map { $0["base_n"] as? Int } == [20], "\(after)")
    }

    @Test func `local triggers have rates of their own`() async throws {
        try await forge([
            event("sent", 1, ["trigger": "calendar"]), event("opened", 1, at: 9),
            event("sent", 2, ["trigger": "calendar"]),
        ])
        let row = try await rows("conversion")[0]
        #expect(row["base"] as? String == "sent" && row["open_rate"] as? Double == 0.5, "\(row)")
    }

    @Test func `a made-up purchase changes no verified value`() async throws {
        let money: [String: any Sendable] = ["value": 20, "currency": "EUR"]
        try await serve([event("sent", 1), event("converted", 1, at: 5, money)])
        try await forge([event("converted", 1, at: 6, ["value": 1_000_000, "currency": "EUR"])])
        let verified = try await rows("value", [("verified", "true")])
        #expect(verified.map { $0["total_value"] as? Int } == [20], "\(verified)")
        let all = try await rows("value")
        #expect(all.map { $0["total_value"] as? Int } == [1_000_020], "\(all)")
    }

    // MARK: - Actions

    @Test func `made-up actions take no room from a verified one, and count together past the limit (A6)`()
        async throws
    {
        let receipt = try await receipt(1, device: "d1")
        try await forge([event("delivered", 1, ["receipt": receipt])])
        let made = (10..<50).map { event("action", 1, ["action_identifier": "!\($0)"]) }
        try await forge(made)
        try await forge([event("action", 1, ["action_identifier": "yes", "receipt": receipt])])
        let all = try await rows("actions")
        #expect(all.count == 34)
        let other = all.filter { $0["action_id"] as? String == "(other)" }
        #expect(other.map { $0["acted"] as? Int } == [1] && other.map { $0["total"] as? Int } == [8], "\(other)")
        let verified = try await rows("actions", [("verified", "true")])
        #expect(verified.map { $0["action_id"] as? String } == ["yes"])
    }

    @Test func `the 33rd verified action of a delivery is refused`() async throws {
        let actions = (10..<50).map { event("action", 1, ["action_identifier": "a\($0)"]) }
        try await serve([event("delivered", 1)])
        let codes = try await send(actions, key: app.sendKey).rejections()
        #expect(codes.count == 8 && Set(codes.values) == ["too_many_actions"])
    }

    // MARK: - Copies

    @Test(arguments: [false, true])
    func `a verified copy replaces a forged event, whichever was merged first (A15, A16)`(
        isMergedBetween: Bool
    ) async throws {
        let genuine = event("action", 1, ["action_identifier": "yes"])
        let forged = genuine.merging(["kind": "dismissed", "campaign_id": "forged"]) { $1 }
            .filter { $0.key != "action_identifier" }
        let receipt = try await receipt(1, device: "d1", campaign: "real")
        try await forge([forged])
        if isMergedBetween { try await app.waitForRollups() }
        let copy = genuine.merging(["receipt": receipt]) { $1 }
        let answer = try await send([copy], key: app.ingestKey).json()
        #expect(answer["duplicates"] as? Int == 1, "\(answer)")
        // The forger tries again.
        try await forge([forged])
        for verified in ["false", "true"] {
            let row = try await rows("conversion", [("by", "campaign"), ("verified", verified)])
            #expect(row.map { $0["campaign_id"] as? String } == ["real"])
            #expect(row.map { $0["acted"] as? Int } == [1] && row.map { $0["dismissed"] as? Int } == [0], "\(row)")
        }
        let stored = "select string_agg(kind::text || verified, ',') from afterpush.events where app_id = \(app.app.id)"
        #expect(try await app.value(stored) == "actiontrue")
        #expect(try await app.maintenance.verify().isEmpty)
        try await app.maintenance.rebuild()
        #expect(try await app.maintenance.verify().isEmpty)
    }

    @Test func `a verified copy in the same request replaces the unverified one`() async throws {
        let receipt = try await receipt(1, device: "d1", campaign: "real")
        let bare = event("opened", 1, ["campaign_id": "forged"])
        let answer = try await send([bare, bare.merging(["receipt": receipt]) { $1 }], key: app.ingestKey).json()
        #expect(answer["accepted"] as? Int == 1 && answer["duplicates"] as? Int == 1)
        #expect(try await campaigns(verified: true) == ["real 0 0"])
    }

    @Test func `a verified copy brings its text, and leaves none of a forged one`() async throws {
        let receipt = try await receipt(1, device: "d1")
        let reply = event("text_input", 1, ["action_identifier": "say", "user_text": "forged"])
        let tap = event("action", 2, ["action_identifier": "say"])
        let forgedTap = tap.merging(["kind": "text_input", "user_text": "forged"]) { $1 }
        try await forge([reply, forgedTap])
        try await app.waitForRollups()
        try await forge([reply.merging(["user_text": "genuine", "receipt": receipt]) { $1 }])
        try await serve([tap])
        try await app.waitForRollups()
        let texts = "select string_agg(user_text, ',') from afterpush.replies where app_id = \(app.app.id)"
        #expect(try await app.value(texts) == "genuine")
    }

    // MARK: - Reply texts

    /// A step in the story of one reply to a notification whose category the server knows.
    enum ReplyStep: String {
        /// The server reports the send, with the category.
        case send
        /// The device confirms it, with a receipt that doesn't name the category.
        case confirm
        /// The same, with a receipt that does.
        case confirmCategory
        /// The device posts the reply, with a receipt that doesn't name the category.
        case reply
        /// The same, with a receipt that does.
        case replyCategory
        /// The device posts the reply without a receipt.
        case unverifiedReply
        /// The forger posts a confirmation that names the other category.
        case forge
    }

    private static let stories: [(name: String, steps: [ReplyStep])] = [
        ("A, B", [.forge, .reply, .send]), ("C", [.forge, .replyCategory, .send]), ("D", [.send, .forge, .reply]),
        ("E", [.confirmCategory, .forge, .reply, .send]), ("E2", [.confirm, .forge, .reply, .send]),
        ("F", [.forge, .confirm, .reply, .send]), ("G", [.reply, .forge, .send]),
        ("H", [.replyCategory, .forge, .send]),
        ("unverified, forged before", [.forge, .unverifiedReply, .confirm, .send]),
        ("unverified, forged after", [.confirm, .unverifiedReply, .forge, .send]),
    ]

    /// Each story ends with the category of the server, which alone decides whether its text may be kept.
    @Test(arguments: stories, ["loud", "quiet"])
    func `a forged category neither shows a text that must not be kept nor deletes one that is`(
        story: (name: String, steps: [ReplyStep]), category: String
    ) async throws {
        try await declareLoudAndQuiet()
        // The app is known to have verified events.
        try await serve([event("sent", 99, ["category_id": "loud"])])
        try await app.waitForRollups()
        for step in story.steps {
            try await take(step, category)
            if category == "quiet" { #expect(try await shownTexts() == [], "\(story.name) after \(step)") }
        }
        let expected = category == "loud" ? ["genuine"] : []
        #expect(try await shownTexts() == expected, "\(story.name)")
        try await app.purgeReplies()
        #expect(try await shownTexts() == expected, "\(story.name), after retention")
        let kept = """
            select (select count(*) from afterpush.replies where app_id = \(app.app.id)) || ' '
                || (select count(*) from afterpush.waiting_replies where app_id = \(app.app.id))
            """
        #expect(try await app.value(kept) == "\(expected.count) 0", "\(story.name)")
    }

    private func declareLoudAndQuiet() async throws {
        let actions = #""actions":[{"identifier":"say","title":"Say","text_input":{}}]"#
        let categories = """
            {"categories":[
                {"identifier":"loud","text_retention":"90d",\(actions)},
                {"identifier":"quiet","text_retention":"none",\(actions)}
            ]}
            """
        let now = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        _ = try await app.registry.putCategories(CategorySet(json: Data(categories.utf8)), app: app.app, at: now)
    }

    private func take(_ step: ReplyStep, _ category: String) async throws {
        let bare = try await receipt(1, device: "d1")
        let named = try await receipt(1, device: "d1", category: category)
        let reply = event("text_input", 1, at: 60, ["action_identifier": "say", "user_text": "genuine"])
        switch step {
        case .send: try await serve([event("sent", 1, ["category_id": category])])
        case .confirm: try await forge([event("delivered", 1, at: 2, ["receipt": bare])])
        case .confirmCategory: try await forge([event("delivered", 1, at: 2, ["receipt": named])])
        case .reply: try await forge([reply.merging(["receipt": bare]) { $1 }])
        case .replyCategory: try await forge([reply.merging(["receipt": named]) { $1 }])
        case .unverifiedReply: try await forge([reply])
        case .forge:
            try await forge([event("delivered", 1, at: 1, ["category_id": category == "loud" ? "quiet" : "loud"])])
        }
        try await app.waitForRollups()
    }

    /// The texts in the report. Those with `verified` are among them, and the export has the same.
    private func shownTexts() async throws -> [String] {
        func texts(verified: String) async throws -> [String] {
            try await rows("replies", [("include_text", "true"), ("verified", verified)])
                .map { $0["text"] as? String ?? "" }
        }
        let all = try await texts(verified: "false")
        let verified = try await texts(verified: "true")
        let export = try await client.get("/v1/export/replies?format=ndjson&include_text=true", key: app.readKey)
        let exported = export.text.split(separator: "\n").count { $0.contains("genuine") }
        #expect(exported == all.count && verified.allSatisfy(all.contains), "\(export.text) \(all) \(verified)")
        return all
    }

    @Test func `the id of a provider's result can't be computed without the app's key`() async throws {
        let result: Fields = [
            "notification_id": "n1", "device_id": "d1", "provider": "apns", "status": 200,
            "occurred_at": Date().formatted(.iso8601),
        ]
        let body = try JSONSerialization.data(withJSONObject: ["results": [result]])
        let other = try await TestApp(named: "other \(UUID().uuidString)", conninfo: app.conninfo)
        for app in [app, other] {
            for _ in 0..<2 {
                #expect(try await client.post("/v1/provider-results", body, key: app.sendKey).status == 200)
            }
        }
        let ids = """
            select count(*) || ' ' || count(distinct event_id) from afterpush.events
            where app_id in (\(app.app.id), \(other.app.id))
            """
        #expect(try await app.value(ids) == "2 2")
    }

    // MARK: - What stays as it is

    @Test func `unverified events change nothing with verified (A8, A9, A13)`() async throws {
        try await serve([
            event("sent", 1, ["campaign_id": "real", "platform": "ios"]), event("delivered", 1, at: 2),
            event("sent", 2, ["campaign_id": "real", "platform": "ios"]), event("failed", 2, at: 2, ["reason": "Gone"]),
            event("app_opened", 1, at: 60),
        ])
        func snapshot() async throws -> [String] {
            var lines: [String] = []
            for (report, query) in [
                ("conversion", [("by", "campaign")]), ("failures", []), ("influence", [("baseline", "true")]),
                ("timeseries", [("by", "hour")]), ("response-time", []), ("overview", []), ("actions", []),
            ] as [(String, [(String, String)])] {
                let rows = try await rows(report, query + [("verified", "true")])
                lines += rows.map { row in
                    report + " " + row.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
                }
            }
            return lines
        }
        let before = try await snapshot()
        try await forge([
            event("app_opened", 1, at: 61), event("token_failed", 1), event("replaced", 1), event("opened", 1),
            event("failed", 1, ["trigger": "calendar", "reason": "x"]),
            event("text_input", 1, ["action_identifier": "a"]),
            event("delivered", 7, ["campaign_id": "real"]), event("delivered", 2, ["campaign_id": "forged"]),
        ])
        #expect(try await snapshot() == before)
    }

    @Test func `a refused delivery is neither pending nor without response, and health does not count it`()
        async throws
    {
        try await serve([
            event("failed", 1, ["reason": "Unregistered", "campaign_id": "spring"]), event("sent", 2),
            event("opened", 2), event("sent", 3),
        ])
        let row = try await rows("conversion")[0]
        let counts = ["responded", "no_response", "pending", "failed"].map { row[$0] as? Int ?? -1 }
        #expect(counts[0] == 1 && counts[1] + counts[2] == 1 && counts[3] == 1, "\(counts)")
        let health = try await rows("health").filter { $0["section"] as? String == "responses_only" }
        #expect(health.allSatisfy { $0["counted"] as? Int == 0 }, "\(health)")
    }
}
