import AfterpushWire
import Declarations
import Events
import Foundation
import Postgres
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests that deciding where reply texts belong is a limited amount of work, whatever one app has stored or declared.
@Suite struct ReplyTextLimitTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
        try await Self.declare(["loud": "90d", "quiet": "none"], app)
    }

    private static func declare(_ periods: [String: String], _ app: TestApp, title: String = "Say") async throws {
        let categories = periods.sorted { $0.key < $1.key }.map {
            #"{"identifier":"\#($0.key)","text_retention":"\#($0.value)","actions":[{"identifier":"say","title":"\#(title)"}]}"#
        }
        let now = AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
        let json = #"{"categories":[\#(categories.joined(separator: ","))]}"#
        _ = try await app.registry.putCategories(CategorySet(json: Data(json.utf8)), app: app.app, at: now)
    }

    private func event(_ kind: String, _ notification: String, _ fields: [String: any Sendable] = [:])
        -> [String: any Sendable]
    {
        EventJSON.event(["kind": kind, "notification_id": notification].merging(fields) { $1 })
    }

    private func replies(_ count: Int, _ notification: String) -> [[String: any Sendable]] {
        (0..<count).map { _ in
            event("text_input", notification, ["action_identifier": "say", "user_text": notification])
        }
    }

    private func sends(_ campaign: String, _ category: String?, variant: String? = nil) -> String {
        func literal(_ text: String?) -> String { text.map { "'\($0)'" } ?? "null" }
        return """
            insert into afterpush.sends (app_id, send_id, campaign_id, category_id, variant, count, sent_at)
            values (\(app.app.id), gen_random_uuid(), '\(campaign)', \(literal(category)), \(literal(variant)), 1, now())
            """
    }

    /// The notifications that have texts in a table, each with their number.
    private func texts(_ table: String, of app: TestApp? = nil) async throws -> String {
        try await self.app.value(
            """
            select string_agg(user_text || ' ' || texts, ', ' order by user_text)
            from (
                select user_text, count(*) as texts from afterpush.\(table)
                where app_id = \((app ?? self.app).app.id) group by user_text
            ) as t
            """) ?? ""
    }

    /// Lets a run decide about fewer texts and deliveries.
    static func limit(texts: Int, deliveries: Int, _ app: TestApp) async throws {
        try await TestCluster.script(
            """
            do $$
            declare
                source text := pg_get_functiondef('afterpush.decide_noted_replies'::regproc);
            begin
                source := replace(source, 'max_texts constant integer := 4000', 'max_texts constant integer := \(texts)');
                source := replace(
                    source, 'max_deliveries constant integer := 2000', 'max_deliveries constant integer := \(deliveries)');
                assert source like '%integer := \(texts);%integer := \(deliveries);%';
                execute source;
            end
            $$
            """, on: app.conninfo)
    }

    private func run() async throws {
        _ = try await app.value("select afterpush.roll_up(1000)")
    }

    // MARK: - Look-ups

    @Test func `what decides about a text reads neither the sends of its campaign nor the versions of categories`()
        async throws
    {
        for number in 0..<40 { try await Self.declare(["loud": "90d", "quiet": "none"], app, title: "Say \(number)") }
        try await TestCluster.script(
            """
            insert into afterpush.sends (app_id, send_id, campaign_id, category_id, variant, count, sent_at)
            select
                \(app.app.id), gen_random_uuid(), case when n % 2 = 0 then 'c' else 'c' || n end, 'loud',
                case when n % 4 = 0 then 'v' || n % 20 end, 1, now()
            from generate_series(1, 2000) as n
            """, on: app.conninfo)
        try await app.store([event("sent", "a", ["campaign_id": "c", "variant": "v4"])], scope: .send)
        try await run()
        let delivery = try await app.value("select delivery_id from afterpush.deliveries") ?? ""
        let arguments = "array['\(delivery)'::uuid], array[null], array[false]"
        let found = try await app.reads(
            of: ["sends", "sent_categories", "categories"],
            in: """
                select concat_ws(' ', place, verified_category_id)
                from afterpush.reply_places(array[\(app.app.id)], \(arguments))
                """)
        #expect(found.value == "replies loud")
        #expect(found.counts[0] == 0 && found.counts[1] < 10 && found.counts[2] < 60, "\(found.counts)")

        // Nor the sends of another app, because the text's app has none.
        let news = try await TestApp(named: "news", conninfo: app.conninfo)
        try await Self.declare(["loud": "90d", "quiet": "none"], news)
        try await TestCluster.script("analyze afterpush.sends", on: app.conninfo)
        let other = try await app.reads(
            of: ["sends"],
            in: """
                select place
                from afterpush.reply_places(array[\(news.app.id)], array[gen_random_uuid()], array['loud'], array[false])
                """)
        #expect(other.value == "replies" && other.counts == [0], "\(other.counts)")
    }

    @Test(arguments: UInt64(0)..<4)
    func `the kept category of a campaign's sends is what all of them state`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        for number in 0..<9 {
            let dimensions = ["campaign_id": "c\(number / 3)", "variant": ["x", "y", nil][number % 3]].compactMapValues
            { $0 }
            try await app.store([event("sent", "\(number)", dimensions)], scope: .send)
        }
        try await run()
        for _ in 0..<12 {
            let statement = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                sends(
                    "c\(Int.random(in: 0..<3, using: &random))",
                    ["loud", "loud", "loud", "loud", "loud", "quiet", nil].randomElement(using: &random)!,
                    variant: ["x", "y", nil].randomElement(using: &random)!)
            }
            try await TestCluster.script(statement.joined(separator: ";"), on: app.conninfo)
            let different = try await app.value(
                """
                select string_agg(concat_ws(' ', d.campaign_id, d.variant), ', ')
                from afterpush.deliveries as d
                where afterpush.verified_category(d.delivery_id) is distinct from (
                    select min(s.category_id)
                    from afterpush.sends as s
                    where s.app_id = d.app_id
                      and s.campaign_id = d.campaign_id
                      and (s.variant is null or s.variant = d.variant)
                    having count(*) = count(s.category_id)
                       and min(s.category_id) = max(s.category_id)
                )
                """)
            #expect(different == nil, "seed \(seed)")
        }
    }

    // MARK: - Runs without texts to decide about

    @Test func `a merge succeeds while only texts wait that it does not decide about`() async throws {
        try await app.store([event("sent", "other", ["category_id": "loud"])], scope: .send)
        try await app.store(replies(2, "a"), scope: .ingest)
        try await app.rollUp()
        try await TestCluster.script(
            "update afterpush.waiting_replies set waits_until = now() - interval '1 hour'", on: app.conninfo)
        let news = try await TestApp(named: "news", conninfo: app.conninfo)
        func store(_ target: TestApp) async throws { try await target.store([event("displayed", "b")], scope: .ingest) }

        // Their app has batches that have waited for long, as after a restart.
        try await store(app)
        try await TestCluster.script(
            "update afterpush.batches set started_at = started_at - interval '2 minutes' where rolled_up_at is null",
            on: app.conninfo)
        #expect(try await app.value("select afterpush.roll_up(1000)") == "1")

        // They are of another app, or of one that is merged apart; and so are deliveries that are noted.
        try await TestCluster.script(
            """
            update afterpush.waiting_replies set waits_until = now() - interval '1 hour';
            insert into afterpush.undecided_deliveries (delivery_id, app_id)
            select distinct delivery_id, app_id from afterpush.waiting_replies on conflict do nothing;
            """, on: app.conninfo)
        try await store(news)
        #expect(try await app.value("select afterpush.roll_up(1000, \(news.app.id))") == "1")
        #expect(try await app.value("select afterpush.roll_up(1000, \(news.app.id))") == "0")
        try await TestCluster.script("select afterpush.merge_apart(\(app.app.id))", on: app.conninfo)
        try await store(news)
        #expect(try await app.value("select afterpush.roll_up(1000)") == "1")
        #expect(try await app.value("select afterpush.roll_up(1000)") == "0")
    }

    @Test func `retention decides about waiting texts page by page, each once`() async throws {
        try await app.store([event("sent", "other", ["category_id": "loud"])], scope: .send)
        for notification in ["a", "b", "c"] { try await app.store(replies(2, notification), scope: .ingest) }
        try await app.rollUp()
        // Nothing decides about the texts of b, so they wait on, and the next page begins after them.
        try await TestCluster.script(
            """
            update afterpush.deliveries set category_id = 'loud', category_source_rank = 1
            where notification_id in ('a', 'c')
            """, on: app.conninfo)
        var key = "null, null, null"
        for page in 1...4 {
            let last = try await app.value(
                """
                select format('%L, %L, %L', delivery_id, event_id, device_time)
                from afterpush.decide_waiting_page(2, \(key))
                """)
            #expect((last == nil) == (page == 4))
            key = last ?? key
        }
        #expect(try await texts("replies") == "a 2, c 2")
        #expect(try await texts("waiting_replies") == "b 2")
    }

    // MARK: - Limits of a run

    @Test func `a run decides about some texts of a delivery, and about all of a small one`() async throws {
        try await Self.limit(texts: 12, deliveries: 6, app)
        try await app.store([event("sent", "other", ["category_id": "loud"])], scope: .send)
        try await run()
        try await app.store(replies(40, "large") + replies(1, "small"), scope: .ingest)
        try await app.rollUp()
        while try await app.value("select count(*) from afterpush.undecided_deliveries") != "0" { try await run() }
        #expect(try await texts("waiting_replies") == "large 40, small 1")

        try await app.store(
            ["large", "small"].map { event("sent", $0, ["category_id": "loud"]) }, scope: .send)
        try await run()
        #expect(try await texts("replies") == "large 6, small 1")
        // An event that comes meanwhile, as at any time, does not begin with the first texts again.
        try await app.store([event("delivered", "large", ["category_id": "quiet"])], scope: .ingest)
        try await run()
        #expect(try await texts("replies") == "large 18, small 1")
        // What comes to be known meanwhile applies to all of them.
        try await TestCluster.script(
            "update afterpush.deliveries set category_id = 'quiet' where notification_id = 'large'", on: app.conninfo)
        try await app.store([event("delivered", "large", ["category_id": "quiet"])], scope: .ingest)
        for _ in 0..<2 { try await run() }
        #expect(try await texts("replies") == "large 18, small 1")
        #expect(try await texts("waiting_replies") == "")
        for _ in 0..<2 { try await run() }
        #expect(try await texts("replies") == "small 1")
        #expect(try await app.value("select count(*) from afterpush.undecided_deliveries") == "0")
    }

    @Test func `texts of one app, or the sends that it declares, hold up those of no other`() async throws {
        let news = try await TestApp(named: "news", conninfo: app.conninfo)
        try await Self.declare(["loud": "90d", "quiet": "none"], news)
        try await Self.limit(texts: 8, deliveries: 4, app)
        try await app.store([event("sent", "other", ["category_id": "loud"])], scope: .send)
        try await news.store([event("sent", "other", ["category_id": "loud"])], scope: .send)
        try await run()
        let names = (0..<20).map { "n\($0)" }
        try await app.store(names.flatMap { replies(2, $0) }, scope: .ingest)
        try await run()
        try await news.store(replies(1, "news"), scope: .ingest)
        try await run()
        try await news.store([event("sent", "news", ["category_id": "loud"])], scope: .send)
        try await run()
        #expect(try await app.value("select count(*) > 10 from afterpush.undecided_deliveries") == "t")
        #expect(try await texts("replies", of: news) == "news 1")
        #expect(try await texts("replies", of: app) == "")
    }

    @Test func `due texts of one app hold up those of no other, nor does an app that is merged apart`() async throws {
        let news = try await TestApp(named: "news", conninfo: app.conninfo)
        let apart = try await TestApp(named: "apart", conninfo: app.conninfo)
        for app in [news, apart] { try await Self.declare(["loud": "90d", "quiet": "none"], app) }
        try await TestCluster.script(
            """
            insert into afterpush.waiting_replies
                (app_id, delivery_id, event_id, device_time, verified, user_text, stored_at, waits_until)
            select a.app_id, gen_random_uuid(), gen_random_uuid(), now(), true, 'due', now(), now() - a.age
            from (
                values (\(app.app.id), interval '2 hours', 1500), (\(news.app.id), interval '1 hour', 3),
                    (\(apart.app.id), interval '3 hours', 1500)
            ) as a (app_id, age, texts)
            cross join generate_series(1, a.texts);
            select afterpush.merge_apart(\(apart.app.id))
            """, on: app.conninfo)
        func due(_ app: TestApp) async throws -> String? {
            try await app.value(
                """
                select count(*) from afterpush.waiting_replies where app_id = \(app.app.id) and waits_until is not null
                """)
        }
        try await run()
        #expect(try await due(news) == "0")
        #expect(try await due(app) == "1000")
        #expect(try await due(apart) == "1500")
        _ = try await app.value("select afterpush.roll_up(1000, \(apart.app.id))")
        #expect(try await due(apart) == "500")
    }

    // MARK: - Declared sends

    @Test func `whoever declares sends neither decides about texts nor waits for who does`() async throws {
        try await Self.limit(texts: 4, deliveries: 2, app)
        let names = (0..<5).map { "n\($0)" }
        try await app.store(names.map { event("sent", $0, ["campaign_id": "c"]) }, scope: .send)
        try await app.store(names.flatMap { replies(1, $0) }, scope: .ingest)
        try await app.rollUp()
        while try await app.value("select count(*) from afterpush.undecided_deliveries") != "0" { try await run() }
        #expect(try await texts("waiting_replies") == "n0 1, n1 1, n2 1, n3 1, n4 1")
        try await TestCluster.script(sends("c", "loud"), on: app.conninfo)
        #expect(try await texts("replies") == "")

        try await app.database.owner.withConnection { connection in
            try await connection.script("begin")
            _ = try await connection.query("select afterpush.roll_up(1000)")
            // On another connection, while that run has not ended.
            try await TestCluster.script(
                "set lock_timeout = '1s'; \(sends("c", "loud")); \(sends("d", "quiet")); \(sends("e", "loud"))",
                on: app.conninfo)
            try await connection.script("commit")
        }
        #expect(try await app.value("select count(*) from afterpush.replies") == "2")
        // Sends that say nothing new are not noted.
        #expect(try await app.value("select count(*) from afterpush.undecided_apps") == "3")
        for _ in 0..<6 { try await run() }
        #expect(try await texts("replies") == "n0 1, n1 1, n2 1, n3 1, n4 1")
        #expect(try await app.value("select count(*) from afterpush.undecided_apps") == "0")
        #expect(try await app.value("select count(*) from afterpush.undecided_deliveries") == "0")
    }
}
