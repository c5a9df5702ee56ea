import AfterpushWire
import Foundation
import Postgres
import SQLFiles
import Storage
import TestSupport
import Testing

@testable import Alerts

/// Tests how much of an app's alerts the database keeps, and how much work that is.
@Suite struct AlertStoreTests {
    private let shop: TestApp
    /// What a collector evaluates with.
    private let store: AlertStore
    /// What teams declare with.
    private let declarations: AlertStore

    init() async throws {
        shop = try await TestApp()
        store = AlertStore(pool: shop.database.worker)
        declarations = AlertStore(pool: shop.database.owner)
    }

    /// Puts a rule with mail destinations.
    private func put(_ name: String, destinations: Int) async throws {
        let deliver = (0..<destinations).map { #"{"email":"a\#($0)@example.com"}"# }.joined(separator: ",")
        let json = """
            {"report":"conversion","parameters":{"by":"campaign"},"series":["campaign_id"],"column":"sent","above":0,
             "every":"1s","deliver":[\(deliver)]}
            """
        try await declarations.put(try AlertRule(Array(json.utf8), name: name), app: shop.app.id)
    }

    /// Evaluates the rule that is due: rows of campaigns `prefix0`, `prefix1` and so on are outside.
    private func evaluate(_ prefix: String, _ count: Int) async throws -> AlertStore.Finish {
        try await shop.superuserValue("update afterpush.alert_rules set next_evaluation_at = now() where enabled")
        let claim = try #require(try await store.claim(for: .seconds(40), excluding: [], spent: [:]))
        let results = (0..<count).map {
            AlertEvaluation.Result(
                series: #"{"campaign_id":"\#(prefix)\#($0)"}"#, finding: .outside, value: AlertValue(value: 1),
                description: "is 1")
        }
        return try await store.finish(claim, AlertEvaluation(results))
    }

    private func count(_ table: String, _ condition: String = "true", of app: TestApp? = nil) async throws -> Int {
        let sql =
            "select count(*) from afterpush.alert_\(table) where app_id = \((app ?? shop).app.id) and \(condition)"
        return try #require(try await shop.superuserValue(sql).flatMap { Int($0) })
    }

    private static func fill(_ app: TestApp, _ count: Int, daysAgo: Int = 1) -> String {
        """
        insert into afterpush.alert_history
            (app_id, alert_name, series, from_state, to_state, changed_at, description)
        select \(app.app.id), 'r', '{}', 'ok', 'firing', now() - interval '\(daysAgo) days', 'old'
        from generate_series(1, \(count));
        insert into afterpush.alert_messages
            (app_id, message_id, kind, target, subject, body, created_at, ended_at, outcome)
        select
            \(app.app.id), gen_random_uuid(), 'email', 'old@example.com', '', '', now() - interval '\(daysAgo) days',
            now() - interval '\(daysAgo) days', 'delivered'
        from generate_series(1, \(count));
        """
    }

    /// Counts the statements that write to the tables of alerts, and the rows that the largest of them deletes.
    private func countStatements() async throws {
        var script = """
            create table public.statements (what text, deleted bigint);
            create function public.note() returns trigger language plpgsql security definer as $$
            begin insert into public.statements values (tg_table_name || ' ' || lower(tg_op), 0); return null; end $$;
            create function public.note_deletion() returns trigger language plpgsql security definer as $$
            begin
                insert into public.statements
                select tg_table_name || ' delete', count(*) from gone;
                return null;
            end $$;
            """
        for table in ["states", "history", "messages"] {
            script += """
                create trigger note after insert or update on afterpush.alert_\(table)
                for each statement execute function public.note();
                create trigger note_deletion after delete on afterpush.alert_\(table)
                referencing old table as gone for each statement execute function public.note_deletion();
                """
        }
        try await TestCluster.script(script, on: shop.conninfo)
    }

    @Test func `an evaluation of 1,000 rows with ten destinations writes with one statement for each table`()
        async throws
    {
        try await put("r", destinations: 10)
        try await countStatements()
        let finish = try await evaluate("a", 1_000)
        #expect(finish.changes.count == 1_000 && finish.refused == 0)
        #expect(try await count("messages", "ended_at is null") == 10_000)
        #expect(try await count("history", "refused = 0") == 1_000)
        let statements = try await shop.superuserValue(
            "select count(*) from public.statements where what not like '%delete'")
        // One for the states inserts and updates.
        #expect(statements.flatMap { Int($0) } ?? .max <= 4)
        // The limit is reached. What isn't kept is counted.
        let second = try await evaluate("b", 1_000)
        #expect(second.changes.count == 1_000 && second.refused == 10_000)
        #expect(try await count("messages") == 10_000)
        #expect(try await count("history", "refused = 10") == 1_000)
        let latest = try #require(try await store.history(app: shop.app.id).first)
        #expect(latest.failed == 10 && latest.waiting == 0 && latest.delivered == 0)
    }

    @Test func `messages fill the room that is left, in the order of the changes`() async throws {
        try await put("r", destinations: 2)
        try await TestCluster.script(
            """
            insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body)
            select \(shop.app.id), gen_random_uuid(), 'email', 'other@example.com', '', ''
            from generate_series(1, 9997);
            insert into afterpush.disabled_destinations (app_id, kind, target)
            values (\(shop.app.id), 'email', 'unused@example.com');
            """, on: shop.conninfo)
        #expect(try await evaluate("a", 3).refused == 3)
        let failed = try await store.history(app: shop.app.id).sorted { $0.change.series < $1.change.series }
        #expect(failed.map(\.failed) == [0, 1, 2] && failed.map(\.waiting) == [2, 1, 0])
    }

    @Test func `of an app's history and its ended messages, the latest 10,000 of each are kept`() async throws {
        let other = try await TestApp(named: "other", conninfo: shop.conninfo)
        try await put("r", destinations: 1)
        try await TestCluster.script(
            Self.fill(shop, 12_000) + Self.fill(other, 12_000), on: shop.conninfo)
        _ = try await evaluate("a", 100)
        #expect(try await count("history") == 10_000)
        #expect(try await count("history", "description = 'is 1'") == 100)
        #expect(try await count("messages", "ended_at is not null") == 10_000)
        #expect(try await count("messages", "ended_at is null") == 100)
        #expect(try await count("history", of: other) == 12_000)
        #expect(try await count("messages", of: other) == 12_000)
        // The end of a rule is a change of its alerts, too.
        #expect(try await declarations.delete("r", app: shop.app.id))
        #expect(try await count("history") == 10_000)
        #expect(try await count("history", "description = 'the rule was deleted'") == 100)
    }

    @Test func `old rows are deleted in steps, also if there are more than a statement can delete`() async throws {
        try await TestCluster.script(
            Self.fill(shop, 45_000, daysAgo: 401) + Self.fill(shop, 100), on: shop.conninfo)
        try await countStatements()
        try await store.deleteOld(at: Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
        #expect(try await count("history") == 100)
        #expect(try await count("messages") == 100)
        #expect(try await shop.superuserValue("select max(deleted) from public.statements") == "20000")
    }

    @Test func `a rule gets no new rows while the app has as many states as it can have, and says so`() async throws {
        try await TestCluster.script(
            """
            insert into afterpush.alert_rules (app_id, alert_name, enabled, definition)
            values (\(shop.app.id), 'full', false, '{"report":"conversion","column":"sent","above":0}');
            insert into afterpush.alert_states (app_id, alert_name, series, state, since, seen_at, description)
            select \(shop.app.id), 'full', '{"campaign_id":"' || n || '"}', 'ok', now(), now(), ''
            from generate_series(1, 19995) as n;
            """, on: shop.conninfo)
        try await put("r", destinations: 0)
        #expect(try await evaluate("a", 8).changes.count == 5)
        #expect(try await count("states") == 20_000)
        let alert = try await store.alerts(app: shop.app.id, only: "r").first
        #expect(
            alert?.problem
                == "a rule watches at most 1000 rows, and an app has at most 20000 states; not watched: 3 rows")
        // Those that are watched are evaluated all the same.
        #expect(try await evaluate("a", 4).changes == [])
        #expect(try await store.alerts(app: shop.app.id, only: "r").first?.problem == nil)
    }

    @Test func `a list of rules has 1,000 states, those that fire first and some of each rule, and counts all`()
        async throws
    {
        try await TestCluster.script(
            """
            insert into afterpush.alert_rules (app_id, alert_name, enabled, definition)
            select \(shop.app.id), 'r' || n, false, '{"report":"conversion","column":"sent","above":0}'
            from generate_series(1, 9) as n;
            insert into afterpush.alert_states (app_id, alert_name, series, state, since, seen_at, description)
            select
                \(shop.app.id), 'r' || r, '{"campaign_id":"' || n || '"}',
                case when r = 1 and n <= 900 then 'firing' when n <= 3 then 'pending' else 'ok' end, now(), now(), ''
            from generate_series(1, 9) as r, generate_series(1, 1500) as n;
            """, on: shop.conninfo)
        let alerts = try await store.alerts(app: shop.app.id)
        #expect(alerts.map(\.rule.name) == (1...9).map { "r\($0)" })
        #expect(alerts.reduce(0) { $0 + $1.states.count } == 1_000)
        #expect(alerts[0].states.count { $0.state.phase == .firing } == 900)
        #expect(alerts.dropFirst().allSatisfy { $0.states.count { $0.state.phase == .pending } == 3 })
        #expect(alerts.allSatisfy { $0.states.count { $0.state.phase == .ok } >= 8 })
        #expect(alerts[0].counts == AlertStore.StateCounts(ok: 600, pending: 0, firing: 900))
        #expect(alerts[1].counts == AlertStore.StateCounts(ok: 1_497, pending: 3, firing: 0))
        #expect(try await store.alerts(app: shop.app.id, only: "r1").first?.states.count == 1_500)
        let app = shop.app.id
        let firing = try await shop.database.worker.withConnection { connection in
            try await AlertStore.firing(app, connection)
        }
        #expect(firing.shown.count == 100 && firing.count == 900)
    }

    @Test func `the schema cuts what an earlier version kept, and counts its messages without room`() async throws {
        let other = try await TestApp(named: "other", conninfo: shop.conninfo)
        let file = try #require(SQLFiles.schema.first { $0.name == "V0036_alert_bounds" })
        try await TestCluster.script(
            """
            alter table afterpush.alert_history drop column refused;
            alter table afterpush.alert_messages drop constraint alert_messages_outcome_check;
            \(Self.fill(shop, 10_500, daysAgo: 2))
            \(Self.fill(other, 50))
            with change as (
                insert into afterpush.alert_history
                    (app_id, alert_name, series, from_state, to_state, changed_at, description)
                values (\(shop.app.id), 'r', '{}', 'ok', 'firing', now(), 'new')
                returning transition_id
            )
            insert into afterpush.alert_messages
                (app_id, message_id, kind, target, subject, body, ended_at, outcome, problem)
            select \(shop.app.id), transition_id, 'email', n || '@example.com', '', '', now(), 'no_room', 'too many'
            from change, generate_series(1, 3) as n;
            insert into afterpush.alert_rules (app_id, alert_name, enabled, definition)
            values (\(shop.app.id), 'r', false, '{}');
            insert into afterpush.alert_states (app_id, alert_name, series, state, since, seen_at, description)
            select \(shop.app.id), 'r', n::text, case when n > 3000 then 'firing' else 'ok' end, now(), now(), ''
            from generate_series(1, 4000) as n;
            \(file.text)
            """, on: shop.conninfo)
        #expect(try await count("history") == 10_000)
        #expect(try await count("history", "description = 'new' and refused = 3") == 1)
        #expect(try await count("messages") == 10_000)
        #expect(try await count("states") == 2_000)
        #expect(try await count("states", "state = 'firing'") == 1_000)
        #expect(try await count("history", of: other) == 50)
        #expect(try await count("messages", of: other) == 50)
    }
}
