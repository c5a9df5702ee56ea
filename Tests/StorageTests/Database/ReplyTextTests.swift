import AfterpushWire
import Declarations
import Events
import Foundation
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests which evidence decides whether a reply text is kept, without HTTP.
@Suite struct ReplyTextTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
        try await declare(["loud": "90d", "quiet": "none"])
    }

    private func declare(_ periods: [String: String]) async throws {
        let categories = periods.sorted { $0.key < $1.key }.map {
            #"{"identifier":"\#($0.key)","text_retention":"\#($0.value)","actions":[]}"#
        }
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let json = #"{"categories":[\#(categories.joined(separator: ","))]}"#
        _ = try await app.registry.putCategories(CategorySet(json: Data(json.utf8)), app: app.app, at: now)
    }

    private typealias Fields = [String: any Sendable]

    private func event(_ kind: String, _ notification: String, _ fields: Fields = [:]) -> Fields {
        EventJSON.event(["kind": kind, "notification_id": notification].merging(fields) { $1 })
    }

    private func post(_ kind: String, _ notification: String, _ fields: Fields = [:], verified: Bool) async throws {
        let event = event(kind, notification, fields)
        #expect(try await app.store([event], scope: verified ? .send : .ingest) == 1)
        try await app.rollUp()
    }

    private func reply(_ notification: String, _ fields: Fields = [:], verified: Bool) async throws {
        let text: Fields = ["action_identifier": "say", "user_text": notification]
        try await post("text_input", notification, text.merging(fields) { $1 }, verified: verified)
    }

    private func texts(_ table: String) async throws -> String {
        try await app.value("select string_agg(user_text, ' ' order by user_text) from afterpush.\(table)") ?? ""
    }

    /// Moves all waiting texts to the end of their wait, and lets the rollup worker run.
    private func endWait() async throws {
        try await TestCluster.script(
            """
            update afterpush.waiting_replies set waits_until = now() - interval '1 second'
            where waits_until is not null
            """, on: app.conninfo)
        _ = try await app.value("select afterpush.roll_up(1000)")
    }

    private func age(days: Int) async throws {
        try await TestCluster.script(
            "update afterpush.replies set stored_at = now() - interval '\(days) days'", on: app.conninfo)
        try await app.purgeReplies()
    }

    // MARK: - Apps

    @Test func `in an app without verified events, unverified events decide immediately`() async throws {
        try await post("delivered", "loud", ["category_id": "loud"], verified: false)
        try await post("delivered", "quiet", ["category_id": "quiet"], verified: false)
        for notification in ["loud", "quiet", "later", "unknown"] { try await reply(notification, verified: false) }
        try await reply("own", ["category_id": "loud"], verified: false)
        #expect(try await texts("replies") == "loud own")
        #expect(try await texts("waiting_replies") == "later unknown")
        try await post("delivered", "later", ["category_id": "loud"], verified: false)
        #expect(try await texts("replies") == "later loud own")
        #expect(try await texts("waiting_replies") == "unknown")
    }

    @Test func `in an app with verified events, unverified ones decide after a day, and verified ones at any time`()
        async throws
    {
        try await post("sent", "other", ["category_id": "loud"], verified: true)
        for (notification, category) in [("a", "loud"), ("b", "quiet"), ("c", "quiet"), ("d", "loud"), ("e", "loud")] {
            try await post("delivered", notification, ["category_id": category], verified: false)
            try await reply(notification, verified: false)
        }
        try await reply("f", verified: false)
        #expect(try await texts("waiting_replies") == "a b c d e f")
        try await post("sent", "c", ["category_id": "loud"], verified: true)
        try await post("sent", "d", ["category_id": "quiet"], verified: true)
        #expect(try await texts("replies") == "c")
        #expect(try await texts("waiting_replies") == "a b e f")
        let waits = "select string_agg(distinct round(extract(epoch from waits_until - stored_at))::text, ',')"
        #expect(try await app.value(waits + " from afterpush.waiting_replies") == "86400")

        try await endWait()
        #expect(try await texts("replies") == "a c e")
        #expect(try await texts("waiting_replies") == "f")
        // What is stated later is put right when it comes.
        try await post("sent", "e", ["category_id": "quiet"], verified: true)
        try await post("delivered", "f", ["category_id": "loud"], verified: false)
        #expect(try await texts("replies") == "a c f")
        #expect(try await texts("waiting_replies") == "")
    }

    @Test func `a category is needed only if the app's periods differ`() async throws {
        try await declare(["loud": "90d", "quiet": "90d"])
        try await reply("a", verified: true)
        #expect(try await texts("replies") == "a")
        // The app's own period differs from that of its categories.
        try await TestCluster.script("update afterpush.apps set text_retention = '0'", on: app.conninfo)
        try await reply("b", verified: true)
        #expect(try await texts("waiting_replies") == "b")
        try await app.purgeReplies()
        #expect(try await texts("waiting_replies") == "b")
        try await post("sent", "b", ["category_id": "loud"], verified: true)
        #expect(try await texts("replies") == "b")
    }

    // MARK: - Verified evidence

    @Test func `what decides about a text does not read the events of its delivery`() async throws {
        let events = (0..<50).map { _ in event("displayed", "a", ["category_id": "loud"]) }
        #expect(try await app.store(events, scope: .ingest) == 50)
        try await post("sent", "a", ["category_id": "loud"], verified: true)
        let delivery = try await app.value("select delivery_id from afterpush.deliveries") ?? ""
        let found = try await app.reads(
            of: ["events"],
            in: """
                select place || ' ' || verified_category_id
                from afterpush.reply_places(array[\(app.app.id)], array['\(delivery)'::uuid], array[null], array[false])
                """)
        #expect(found.value == "replies loud" && found.counts == [0], "\(found.counts)")
    }

    @Test func `only verified evidence decides about a verified reply`() async throws {
        try await post("delivered", "a", ["category_id": "loud"], verified: false)
        try await post("delivered", "b", ["category_id": "quiet"], verified: false)
        for notification in ["a", "b"] { try await reply(notification, verified: true) }
        try await endWait()
        #expect(try await texts("waiting_replies") == "a b")
        try await post("sent", "b", ["category_id": "loud"], verified: true)
        #expect(try await texts("replies") == "b")
        try await app.purgeReplies()
        #expect(try await texts("waiting_replies") == "a")
    }

    @Test func `a send without a category takes nothing from what the reply's receipt said`() async throws {
        try await reply("a", ["category_id": "loud"], verified: true)
        try await post("sent", "a", verified: true)
        try await post("delivered", "a", ["category_id": "quiet"], verified: false)
        #expect(try await app.value("select category_id from afterpush.deliveries") == "loud")
        try await app.purgeReplies()
        #expect(try await texts("replies") == "a")
        // Not even when the events are gone.
        try await TestCluster.script("delete from afterpush.events", on: app.conninfo)
        #expect(try await app.purgeReplies() == "0")
        #expect(try await texts("replies") == "a")
    }

    @Test func `a verified copy of a forged confirmation decides when it replaces it`() async throws {
        try await post("sent", "other", ["category_id": "loud"], verified: true)
        let confirmation = event("delivered", "a", ["category_id": "loud"])
        #expect(try await app.store([confirmation], scope: .ingest) == 1)
        try await reply("a", verified: false)
        try await endWait()
        #expect(try await texts("replies") == "a")
        _ = try await app.store([confirmation.merging(["category_id": "quiet"]) { $1 }], scope: .send)
        try await app.rollUp()
        #expect(try await texts("replies") == "")
    }

    @Test func `declared sends state the category of their campaign's deliveries`() async throws {
        func declareSends(_ campaign: String, _ category: String?) async throws {
            let category = category.map { "'\($0)'" } ?? "null"
            _ = try await app.value(
                """
                insert into afterpush.sends (app_id, send_id, campaign_id, category_id, count, sent_at)
                values (\(app.app.id), gen_random_uuid(), '\(campaign)', \(category), 1, now())
                """)
        }
        try await declareSends("before", "quiet")
        for campaign in ["before", "loud", "quiet", "mixed"] {
            try await post("delivered", campaign, ["category_id": "loud"], verified: false)
            try await reply(campaign, ["campaign_id": campaign], verified: true)
        }
        try await reply("forged", ["campaign_id": "quiet"], verified: false)
        #expect(try await texts("waiting_replies") == "forged loud mixed quiet")
        try await declareSends("loud", "loud")
        try await declareSends("quiet", "quiet")
        try await declareSends("mixed", nil)
        _ = try await app.value("select afterpush.roll_up(1000)")
        #expect(try await texts("replies") == "loud")
        #expect(try await texts("waiting_replies") == "forged mixed")
    }

    @Test func `periods of different length follow verified evidence`() async throws {
        try await declare(["loud": "100d", "quiet": "100d", "short": "2d", "long": "400d"])
        let replies: [(String, Fields)] = [("long", ["category_id": "long"]), ("none", [:])]
        for (notification, fields) in replies {
            try await reply(notification, fields, verified: true)
            try await post("sent", notification, verified: true)
            try await post("delivered", notification, ["category_id": "short"], verified: false)
        }
        try await reply("unverified", ["category_id": "short"], verified: false)
        #expect(try await texts("replies") == "long none unverified")
        try await age(days: 89)
        #expect(try await texts("replies") == "long none")
        try await age(days: 91)
        #expect(try await texts("replies") == "long")
        try await age(days: 401)
        #expect(try await texts("replies") == "")
    }

    // MARK: - Orders

    /// Whatever a forger adds, the verified texts are those that verified events allow, in one run or in many small ones.
    @Test(arguments: UInt64(0)..<8)
    func `genuine and forged events in any order leave the same verified texts`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        if seed >= 4 { try await ReplyTextLimitTests.limit(texts: 4, deliveries: 2, app) }
        try await post("sent", "other", ["category_id": "loud"], verified: true)
        var events: [(fields: Fields, verified: Bool)] = []
        /// The notifications whose replies are readable in the end.
        var expected: [String] = []
        for number in 10..<40 {
            let notification = "\(number)"
            // Verified events agree, but not all of them state the category.
            let category = ["loud", "quiet"][Int(random.next() % 2)]
            var isStated = false
            for kind in ["sent", "delivered", "text_input"] where kind == "text_input" || random.next() % 2 == 0 {
                var fields = kind == "text_input" ? ["action_identifier": "say", "user_text": notification] : [:]
                if random.next() % 2 == 0 {
                    fields["category_id"] = category
                    isStated = true
                }
                events.append((event(kind, notification, fields), true))
            }
            if isStated && category == "loud" { expected.append(notification) }
            for _ in 0..<(random.next() % 4) {
                let kind = ["delivered", "opened", "text_input"][Int(random.next() % 3)]
                var fields = kind == "text_input" ? ["action_identifier": "say", "user_text": "forged"] : [:]
                fields["category_id"] = ["loud", "quiet", "made up"][Int(random.next() % 3)]
                events.append((event(kind, notification, fields), false))
            }
        }
        events.shuffle(using: &random)
        var rest = events[...]
        while let first = rest.first {
            let group = rest.prefix(1 + Int(random.next() % 5)).prefix { $0.verified == first.verified }
            rest = rest.dropFirst(group.count)
            #expect(try await app.store(group.map(\.fields), scope: first.verified ? .send : .ingest) == group.count)
            if random.next() % 3 == 0 { try await app.rollUp() }
        }
        try await app.rollUp()
        while try await app.value("select count(*) from afterpush.undecided_deliveries") != "0" {
            _ = try await app.value("select afterpush.roll_up(1000)")
        }
        if seed % 2 == 0 { try await endWait() }
        try await app.purgeReplies()
        let readable = try await app.value(
            "select string_agg(user_text, ' ' order by user_text) from afterpush.replies where verified")
        #expect(readable ?? "" == expected.joined(separator: " "), "seed \(seed)")
        let forbidden = try await app.value(
            "select count(*) from afterpush.replies where afterpush.verified_category(delivery_id) = 'quiet'")
        #expect(forbidden == "0", "seed \(seed)")
    }
}
