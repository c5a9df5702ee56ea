import Alerts
import Foundation
import Storage
import TestSupport
import Testing

/// Tests that what one app does with its alerts costs others neither their alerts nor their memory.
@Suite struct AlertBoundTests {
    private let shop: TestApp
    private let store: AlertStore

    init() async throws {
        shop = try await TestApp()
        store = AlertStore(pool: shop.database.owner)
    }

    /// A rule that fires when it is evaluated.
    private func rule(_ name: String, to url: String? = nil) throws -> AlertRule {
        let deliver = url.map { #"{"webhook":"\#($0)"}"# } ?? ""
        let json = #"{"report":"conversion","column":"opened","above":0,"every":"1s","deliver":[\#(deliver)]}"#
        return try AlertRule(Array(json.utf8), name: name)
    }

    private func postOpened(_ collector: CollectorProcess, _ app: TestApp) async throws {
        let body = EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await TestClient(url: collector.url).post("/v1/events", body, key: app.ingestKey).status == 200)
        try await app.waitForRollups()
    }

    /// Calls a function of the database whenever a state of one of these apps is stored.
    private func onStoring(_ apps: [TestApp], _ statement: String) async throws {
        let ids = apps.map { String($0.app.id) }.joined(separator: ", ")
        try await TestCluster.script(
            """
            create function public.on_storing() returns trigger language plpgsql as $$
            begin
                \(statement);
                return new;
            end $$;
            create trigger on_storing before insert on afterpush.alert_states
            for each row when (new.app_id in (\(ids))) execute function public.on_storing();
            """, on: shop.conninfo)
    }

    @Test func `results that take long to store hold no place that others need`() async throws {
        let receiver = try WebhookReceiver { _, _ in .status(204) }
        defer { receiver.close() }
        var others: [TestApp] = []
        for name in ["one", "two", "three"] {
            others.append(try await TestApp(named: name, conninfo: shop.conninfo))
        }
        for app in others + [shop] {
            try await app.store([EventJSON.event(["kind": "opened", "occurred_at": Date().ISO8601Format()])])
        }
        try await shop.rollUp()
        try await onStoring(others, "perform pg_sleep(600)")
        for app in others { try await store.put(try rule("slow"), app: app.app.id) }
        // It finds the three rules at once, each of which has five seconds.
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo, environment: ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1"])
        // As many as there are connections for that. A third one only comes while the server ends a statement.
        try await shop.waitUntil("results of the others are being stored on all connections") {
            let count = try await shop.superuserValue(
                "select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'")
            return Int(count ?? "") ?? 0 >= 2
        }
        try await store.put(try rule("good", to: "\(receiver.url)/good"), app: shop.app.id)
        try await shop.waitUntil("the alert of the shop") { !receiver.received.isEmpty }
        // None of the others has ended meanwhile, and left its place to the shop.
        for app in others {
            #expect(try await store.alerts(app: app.app.id, only: "slow").first?.evaluatedAt == nil)
        }
        await collector.kill()
    }

    @Test func `a result that can't be stored is a problem of its rule`() async throws {
        let collector = try await CollectorProcess(conninfo: shop.conninfo)
        try await postOpened(collector, shop)
        try await onStoring([shop], "raise exception using errcode = '54000'")
        try await store.put(try rule("broken"), app: shop.app.id)
        try await shop.waitUntil("the problem") {
            let alert = try await store.alerts(app: shop.app.id, only: "broken").first
            return alert?.problem?.contains("54000") == true && alert?.evaluatedAt != nil
        }
        #expect(await collector.stop() == 0)
    }

    @Test func `a row with long names has an alert if its series fits, and costs the rule nothing if not`() async throws
    {
        let collector = try await CollectorProcess(conninfo: shop.conninfo)
        let columns = ["campaign_id", "category_id"]
        // Each of these characters takes six bytes in JSON.
        for (id, text) in [("n1", String(repeating: "\u{1}", count: 256)), ("n2", String(repeating: "ü", count: 128))] {
            var event: [String: any Sendable] = [
                "kind": "opened", "notification_id": id, "occurred_at": Date().ISO8601Format(),
            ]
            for column in columns { event[column] = text }
            let body = try EventJSON.body([EventJSON.event(event)])
            let response = try await TestClient(url: collector.url).post("/v1/events", body, key: shop.sendKey)
            #expect(response.status == 200, "\(response.text)")
        }
        try await shop.waitForRollups()
        let json = """
            {"report":"conversion","parameters":{"by":"campaign,category"},"column":"opened","above":0,
             "series":["campaign_id","category_id"],"every":"1s"}
            """
        try await store.put(try AlertRule(Array(json.utf8), name: "long"), app: shop.app.id)
        try await shop.waitUntil("the evaluation") {
            try await store.alerts(app: shop.app.id, only: "long").first?.evaluatedAt != nil
        }
        let alert = try #require(try await store.alerts(app: shop.app.id, only: "long").first)
        #expect(alert.problem == nil)
        #expect(alert.states.count { $0.series.contains("ü") } == 1)
        #expect(alert.states.allSatisfy { !$0.series.contains(#"\u0001\u0001"#) })
        #expect(await collector.stop() == 0)
    }

    @Test func `an app whose summary always fails doesn't keep others from theirs`() async throws {
        let receiver = try WebhookReceiver { _, _ in .status(204) }
        defer { receiver.close() }
        // It was created earlier, so its summary comes first.
        let other = try await TestApp(named: "other", conninfo: shop.conninfo)
        let settings = #"{"deliver":[{"webhook":"\#(receiver.url)/SHOP"}],"summary":"daily"}"#
        for app in [shop, other] {
            try await store.put(
                try AlertSettings(Array(settings.replacing("SHOP", with: app.app.name).utf8)), app: app.app.id)
        }
        // All reports of the shop fail with an error of the server's resources.
        try await TestCluster.script(
            """
            create function public.refuse() returns boolean language plpgsql as $$
            begin
                if afterpush.report_app() = \(shop.app.id) then raise exception using errcode = '53400'; end if;
                return true;
            end $$;
            create policy refuse on afterpush.apps as restrictive for select to afterpush_report
            using (public.refuse());
            """, on: shop.conninfo)
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo, environment: ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1"])
        for app in [shop, other] { try await postOpened(collector, app) }
        try await TestCluster.script(
            "update afterpush.alert_settings set next_summary_at = date_trunc('day', now(), 'UTC')", on: shop.conninfo)
        try await shop.waitUntil("the summary of the other app") { !receiver.received(at: "/other").isEmpty }
        #expect(collector.errorOutput.contains("could not make a summary; it will be retried"))
        #expect(receiver.received(at: "/shop").isEmpty)
        #expect(await collector.stop() == 0)
    }

    @Test func `lists of alerts of one app are bounded, and unread ones leave places to others`()
        async throws
    {
        let other = try await TestApp(named: "other", conninfo: shop.conninfo)
        try await TestCluster.script(
            """
            insert into afterpush.alert_rules (app_id, alert_name, enabled, definition)
            select
                \(shop.app.id), 'r' || n, false,
                '{"report":"conversion","column":"opened","above":0,"every":"1s"}'
            from generate_series(1, 20) as n;
            insert into afterpush.alert_states (app_id, alert_name, series, state, since, seen_at, description)
            select
                \(shop.app.id), 'r' || r, '{"campaign_id":"' || n || repeat('x', 1500) || '"}', 'firing', now(), now(),
                repeat('d', 10000)
            from generate_series(1, 20) as r, generate_series(1, 1000) as n;
            """, on: shop.conninfo)
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo, environment: ["AFTERPUSH_HTTP_WRITE_TIMEOUT": "300"])
        let client = TestClient(url: collector.url)
        let list = try await client.get("/v1/alerts", key: shop.readKey)
        #expect(list.status == 200 && list.text.utf8.count < 13_000_000)
        let alerts = try #require(try list.json()["alerts"] as? [[String: Any]]).filter {
            $0["built_in"] as? Bool == false
        }
        #expect(alerts.count == 20)
        #expect(alerts.allSatisfy { ($0["states"] as? [Any])?.count == 50 })
        #expect(alerts.allSatisfy { ($0["counts"] as? [String: Int]) == ["ok": 0, "pending": 0, "firing": 1_000] })
        let whole = try await client.get("/v1/alerts/r1", key: shop.readKey)
        #expect((try whole.json()["states"] as? [Any])?.count == 1_000)

        func open(_ key: String) async throws -> (connection: RawConnection, status: Substring) {
            let connection = try RawConnection(port: collector.port, receiveBuffer: 16 * 1024)
            await connection.send("GET /v1/alerts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(key)\r\n\r\n")
            let text = await connection.receive { $0.contains("\r\n\r\n") } ?? ""
            return (connection, text.split(separator: " ").dropFirst().first ?? "")
        }
        // Their clients read nothing after the headers.
        var connections: [RawConnection] = []
        var statuses: [Substring] = []
        for key in Array(repeating: shop.readKey, count: 6) + [other.readKey] {
            let (connection, status) = try await open(key)
            connections.append(connection)
            statuses.append(status)
        }
        #expect(statuses == ["200", "200", "200", "200", "503", "503", "200"])
        connections = []
        try await shop.waitUntil("the app has places again") { try await open(shop.readKey).status == "200" }
        await collector.kill()
    }
}
