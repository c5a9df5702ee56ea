import Alerts
import Foundation
import Storage
import TestSupport
import Testing

/// Tests that the alerts of one app are evaluated and delivered in time while those of another one are slow.
@Suite struct AlertFairnessTests {
    private let shop: TestApp
    private let store: AlertStore

    init() async throws {
        shop = try await TestApp()
        store = AlertStore(pool: shop.database.owner)
    }

    /// A rule that fires when it is evaluated.
    private func rule(_ name: String, report: String = "conversion", to urls: [String]) throws -> AlertRule {
        let deliver = urls.map { #"{"webhook":"\#($0)"}"# }.joined(separator: ",")
        let column = report == "conversion" ? "opened" : "deliveries"
        let json = #"{"report":"\#(report)","column":"\#(column)","above":0,"every":"1s","deliver":[\#(deliver)]}"#
        return try AlertRule(Array(json.utf8), name: name)
    }

    private func postOpened(_ collector: CollectorProcess, _ app: TestApp) async throws {
        let body = EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await TestClient(url: collector.url).post("/v1/events", body, key: app.ingestKey).status == 200)
        try await app.waitForRollups()
    }

    /// Puts a rule for the shop, and returns the time until its alert has been received.
    private func timeOfAlert(_ name: String, at receiver: WebhookReceiver) async throws -> Duration {
        let start = ContinuousClock.now
        try await store.put(try rule(name, to: ["\(receiver.url)/\(name)"]), app: shop.app.id)
        try await shop.waitUntil("the alert \(name)") { !receiver.received(at: "/\(name)").isEmpty }
        return .now - start
    }

    @Test func `destinations of an app that hang delay neither another app nor more than their share`() async throws {
        let other = try await TestApp(named: "other", conninfo: shop.conninfo)
        let receiver = try WebhookReceiver { _, _ in .status(204) }
        let hanging = try WebhookReceiver { _, _ in .nothing }
        defer {
            receiver.close()
            hanging.close()
        }
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo, environment: ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1"])
        try await postOpened(collector, shop)
        try await postOpened(collector, other)
        for number in 1...40 {
            let urls = (1...10).map { "\(hanging.url)/\(number)/\($0)" }
            try await store.put(try rule("hangs-\(number)", to: urls), app: other.app.id)
        }
        try await shop.waitUntil("the messages of the other app") {
            try await shop.value("select count(*) from afterpush.alert_messages") == "400"
        }
        for round in 1...3 {
            let time = try await timeOfAlert("good-\(round)", at: receiver)
            #expect(time < .seconds(8), "\(time)")
        }
        let underWay = try await shop.value(
            "select count(*) from afterpush.alert_messages where claimed_until > now()")
        #expect(try #require(underWay.flatMap { Int($0) }) <= 8)
        #expect(await collector.stop() == 0)
    }

    @Test func `a rule and a message that were timed while the database's clock was ahead are due`() async throws {
        let receiver = try WebhookReceiver { _, _ in .status(204) }
        defer { receiver.close() }
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo, environment: ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1"])
        try await postOpened(collector, shop)
        _ = try await timeOfAlert("jumped", at: receiver)
        try await shop.waitUntil("the message has ended") {
            try await shop.value("select count(*) from afterpush.alert_messages where ended_at is null") == "0"
        }
        try await TestCluster.script(
            """
            update afterpush.alert_messages
            set ended_at = null, outcome = null, next_attempt_at = now() + interval '3 years', claim = null,
                claimed_until = null;
            update afterpush.alert_rules
            set next_evaluation_at = now() + interval '3 years', evaluated_at = null, claim = null, claimed_until = null
            where alert_name = 'jumped';
            """, on: shop.conninfo)
        try await shop.waitUntil("the rule is evaluated, and the message sent again") {
            let evaluated = try await shop.value(
                "select evaluated_at is not null from afterpush.alert_rules where alert_name = 'jumped'")
            return evaluated == "t" && receiver.received(at: "/jumped").count == 2
        }
        #expect(await collector.stop() == 0)
    }

    @Test func `slow reports of some apps don't keep the rules of another from being evaluated`() async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-slow-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let slow = """
            -- title: Slow
            -- description: Takes 25 seconds.
            -- column: deliveries integer deliveries  always 0
            \\if :{?app} \\else \\set app '' \\endif
            select count(s)::bigint - 1 as deliveries from (select pg_sleep(25)) as s;
            """
        try Data(slow.utf8).write(to: URL(filePath: directory + "/slow.sql"))
        let receiver = try WebhookReceiver { _, _ in .status(204) }
        defer { receiver.close() }
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo,
            environment: ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1", "AFTERPUSH_REPORTS_DIR": directory])
        try await postOpened(collector, shop)
        var others: [TestApp] = []
        for name in ["one", "two", "three", "four"] {
            let other = try await TestApp(named: name, conninfo: shop.conninfo)
            for number in 1...10 {
                try await store.put(try rule("slow-\(number)", report: "slow", to: []), app: other.app.id)
            }
            others.append(other)
        }
        try await Task.sleep(for: .seconds(3))
        // Four apps are found to be slow, three at a time, and then never have the last lane.
        let first = try await timeOfAlert("first", at: receiver)
        #expect(first < .seconds(20), "\(first)")
        let second = try await timeOfAlert("second", at: receiver)
        #expect(second < .seconds(8), "\(second)")
        // The slow reports are evaluated, too, and none of them has failed.
        try await shop.waitUntil("a slow rule") {
            for other in others where try await store.alerts(app: other.app.id).contains(where: isEvaluated) {
                return true
            }
            return false
        }
        #expect(await collector.stop() == 0)
    }

    private func isEvaluated(_ alert: AlertStore.Alert) -> Bool {
        alert.rule.report == "slow" && alert.evaluatedAt != nil && alert.problem == nil
    }

    @Test func `a rule that was not evaluated in time says so`() async throws {
        try await store.put(try rule("late", to: []), app: shop.app.id)
        #expect(try await store.alerts(app: shop.app.id).first?.problem == nil)
        try await TestCluster.script(
            "update afterpush.alert_rules set next_evaluation_at = '2026-01-01 00:00:00Z'", on: shop.conninfo)
        let late = try await store.alerts(app: shop.app.id).first
        #expect(late?.problem == "not evaluated in time: due since 2026-01-01T00:00:00Z")
        let collector = try await CollectorProcess(conninfo: shop.conninfo)
        try await shop.waitUntil("the evaluation") {
            try await store.alerts(app: shop.app.id, only: "late").first?.evaluatedAt != nil
        }
        #expect(try await store.alerts(app: shop.app.id, only: "late").first?.problem == nil)
        #expect(collector.errorOutput.contains("alerts are evaluated late"))
        #expect(await collector.stop() == 0)
    }

    @Test func `an app has at most 10,000 messages that wait, and what has no room is in the history`() async throws {
        let receiver = try WebhookReceiver { _, _ in .status(204) }
        defer { receiver.close() }
        let collector = try await CollectorProcess(
            conninfo: shop.conninfo, environment: ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1"])
        try await postOpened(collector, shop)
        try await TestCluster.script(
            """
            insert into afterpush.alert_messages (app_id, message_id, kind, target, subject, body, next_attempt_at)
            select \(shop.app.id), gen_random_uuid(), 'email', 'a@example.com', '', '', now() + interval '1 day'
            from generate_series(1, 9999)
            """, on: shop.conninfo)
        let urls = ["\(receiver.url)/1", "\(receiver.url)/2"]
        try await store.put(try rule("opened", to: urls), app: shop.app.id)
        try await shop.waitUntil("the message that has room") { !receiver.received.isEmpty }
        try await shop.waitUntil("the end of the delivery") {
            let change = try await store.history(app: shop.app.id).first
            return change.map { $0.delivered == 1 && $0.failed == 1 && $0.waiting == 0 } ?? false
        }
        let refused = "select count(*) from afterpush.alert_messages where target like '%/2'"
        #expect(try await shop.value(refused) == "0")
        #expect(receiver.received.count == 1)
        #expect(collector.errorOutput.contains("too many messages of an app wait to be delivered"))
        #expect(await collector.stop() == 0)
    }
}
