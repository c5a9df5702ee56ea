import AfterpushWire
import Alerts
import Crypto
import Events
import Foundation
import HTTPTransport
import Reports
import Storage
import TestSupport
import Testing

/// Tests alerts from rule to receiver with real collectors.
@Suite struct AlertTests {
    private let app: TestApp
    private let store: AlertStore

    init() async throws {
        app = try await TestApp()
        store = AlertStore(pool: app.database.owner)
    }

    private static let allowed = ["AFTERPUSH_ALERTS_ALLOW": "127.0.0.1"]

    /// A rule that fires while more deliveries than the bound were opened.
    private func rule(_ name: String, above bound: Int, to urls: [String] = [], every: String = "1s") throws
        -> AlertRule
    {
        let deliver = urls.map { #"{"webhook":"\#($0)"}"# }.joined(separator: ",")
        let json = """
            {"report":"conversion","column":"opened","above":\(bound),"every":"\(every)","deliver":[\(deliver)]}
            """
        return try AlertRule(Array(json.utf8), name: name)
    }

    private func postOpened(_ collector: CollectorProcess) async throws {
        let body = EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await TestClient(url: collector.url).post("/v1/events", body, key: app.ingestKey).status == 200)
        try await app.waitForRollups()
    }

    private func phase(_ name: String) async throws -> AlertState.Phase? {
        try await store.alerts(app: app.app.id, only: name).first?.states.first?.state.phase
    }

    /// Waits for two minutes, which is longer than the claim of a collector that was killed.
    private func waitUntil(_ what: String, _ condition: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(120)
        while (try? await condition()) != true {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "timed out: \(what)") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    @Test func `receivers that fail, redirect or hang get the same alert again, one that answers 410 never`()
        async throws
    {
        let receiver = try WebhookReceiver { path, earlier in
            switch path {
            case "/fails" where earlier == 0: .status(500)
            case "/redirects" where earlier == 0: .redirect(to: "/elsewhere")
            case "/hangs" where earlier == 0: .nothing
            case "/gone": .status(410)
            default: .status(204)
            }
        }
        defer { receiver.close() }
        let collector = try await CollectorProcess(conninfo: app.conninfo, environment: Self.allowed)
        try await postOpened(collector)
        let urls = ["/works", "/fails", "/redirects", "/hangs", "/gone"].map { receiver.url + $0 }
        try await store.put(try rule("opened", above: 0, to: urls), app: app.app.id)
        try await waitUntil("the retries") {
            ["/fails", "/redirects", "/hangs"].allSatisfy { receiver.received(at: $0).count >= 2 }
        }
        let secret = SymmetricKey(data: try await store.secret(app: app.app.id))
        let ids = Set(receiver.received.map { $0.headers["afterpush-id"] ?? "" })
        #expect(ids.count == 1)
        for request in receiver.received {
            let signature = try #require(request.headers["afterpush-signature"])
            let match = try #require(signature.wholeMatch(of: /t=([0-9]+),v1=([0-9a-f]{64})/))
            let code = HMAC<SHA256>.authenticationCode(for: Data("\(match.1).\(request.body)".utf8), using: secret)
            #expect(code.map { String(format: "%02x", $0) }.joined() == match.2)
            let body = try JSONSerialization.jsonObject(with: Data(request.body.utf8)) as? [String: Any]
            #expect(body?["id"] as? String == ids.first && body?["state"] as? String == "firing")
            #expect(body?["alert"] as? String == "opened" && body?["value"] as? Int == 1)
        }
        try await store.put(try rule("opened", above: 5, to: Array(urls.dropLast())), app: app.app.id)
        try await waitUntil("resolved everywhere") {
            receiver.received.count { $0.body.contains(#""state":"resolved""#) } >= 4
        }
        #expect(receiver.received(at: "/gone").count == 1)
        #expect(receiver.received(at: "/elsewhere").isEmpty)
        #expect(try await store.disabledDestinations(app: app.app.id).map(\.target) == [receiver.url + "/gone"])
        #expect(await collector.stop() == 0)
    }

    @Test func `collectors that are killed at random moments lose no alert and send none under two ids`() async throws {
        let receiver = try WebhookReceiver { _, earlier in .status(earlier % 7 == 3 ? 503 : 200) }
        defer { receiver.close() }
        var collector = try await CollectorProcess(conninfo: app.conninfo, environment: Self.allowed)
        try await postOpened(collector)
        let names = (1...6).map { "rule-\($0)" }
        // It ends with a bound that is passed, so each rule fires at least then: before it, a collector may have been
        // killed before it evaluated anything.
        for round in 1...9 {
            let bound = round % 2 == 1 ? 0 : 5
            for name in names {
                try await store.put(try rule(name, above: bound, to: ["\(receiver.url)/\(name)"]), app: app.app.id)
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...1_500)))
            await collector.kill()
            collector = try await CollectorProcess(conninfo: app.conninfo, environment: Self.allowed)
        }
        try await waitUntil("the last round is evaluated and delivered") {
            for name in names where try await phase(name) != .firing { return false }
            return try await app.value(
                "select count(*) from afterpush.alert_messages where outcome is distinct from 'delivered'") == "0"
        }
        // Exactly the changes in the history were received, and the states of each rule alternate.
        let history = try await store.history(app: app.app.id)
        #expect(history.count >= names.count)
        for name in names {
            let changes = history.filter { $0.alert == name }.map { $0.change.id.uuidString.lowercased() }
            let ids = receiver.received(at: "/\(name)").map { $0.headers["afterpush-id"] ?? "" }
            #expect(Set(ids) == Set(changes), "\(name)")
            let states = history.filter { $0.alert == name }.reversed().map { $0.change.to.rawValue }
            #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 } && states.first == "firing", "\(states)")
        }
        #expect(await collector.stop() == 0)
    }

    @Test func `no webhook goes to an address that is not public, however it is written`() async throws {
        let receiver = try WebhookReceiver { _, _ in .status(200) }
        defer { receiver.close() }
        let message = OutgoingMessage(id: UUID(), subject: "", body: "{}", secret: [1])
        let port = receiver.port
        for host in [
            "127.0.0.1", "localhost", "0x7f000001", "2130706433", "127.1", "0.0.0.0", "[::ffff:127.0.0.1]", "[::1]",
        ] {
            for scheme in ["http", "https"] {
                let destination = AlertDestination(kind: .webhook, target: "\(scheme)://\(host):\(port)/")
                let result = await AlertSender(AlertSenderConfiguration()).send(message, to: destination)
                guard case .failed(let reason) = result else {
                    Issue.record("\(host): \(result)")
                    continue
                }
                #expect(reason.contains("not public") || reason.contains("no response"), "\(host): \(reason)")
            }
        }
        #expect(receiver.accepted == 0)
        var configuration = AlertSenderConfiguration()
        configuration.allowed = try AddressList("127.0.0.0/8")
        let destination = AlertDestination(kind: .webhook, target: "http://localhost:\(port)/")
        #expect(await AlertSender(configuration).send(message, to: destination) == .delivered)
    }

    @Test func `mail goes through the configured server, and a summary comes when it is due`() async throws {
        let server = try WebhookReceiver { _, _ in .mail }
        defer { server.close() }
        let settings = try AlertSettings(Array(#"{"deliver":[{"email":"ops@example.com"}],"summary":"daily"}"#.utf8))
        try await store.put(settings, app: app.app.id)
        _ = try await app.value(
            "update afterpush.alert_settings set next_summary_at = date_trunc('day', now(), 'UTC') returning 1")
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_ALERTS_SMTP_URL": "smtp://127.0.0.1:\(server.port)"])
        try await waitUntil("the mail") { !server.received.isEmpty }
        let mail = try #require(server.received.first)
        #expect(mail.path == "RCPT TO:<ops@example.com>")
        let text =
            mail.body.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            .components(separatedBy: "\r\n.\r\n").first ?? ""
        let decoded = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
        #expect(String(decoding: decoded, as: UTF8.self).contains("sent: 0"))
        #expect(String(decoding: decoded, as: UTF8.self).contains("No alert is firing."))
        let isLater = try await app.value("select next_summary_at > now() from afterpush.alert_settings")
        #expect(isLater == "t")
        try await Task.sleep(for: .seconds(2))
        #expect(server.received.count == 1)
        #expect(await collector.stop() == 0)
    }

    @Test func `rules are put, read and deleted over HTTP, and only manage keys see whole addresses`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        let json =
            #"{"report":"conversion","column":"opened","above":0,"deliver":[{"slack":"https://hooks.example.com/T0/secret"}]}"#
        #expect(try await client.put("/v1/alerts/a%2Fb", Data(json.utf8), key: app.readKey).status == 403)
        let put = try await client.put("/v1/alerts/a%2Fb", Data(json.utf8), key: manageKey)
        #expect(put.status == 200, "\(put.text)")
        #expect(try await client.get("/v1/alerts/a%2Fb", key: manageKey).text.contains("/T0/secret"))
        let read = try await client.get("/v1/alerts/a%2Fb", key: app.readKey)
        #expect(
            read.status == 200 && !read.text.contains("secret") && read.text.contains("https://hooks.example.com/…"))
        let bad = try await client.put(
            "/v1/alerts/x", Data(#"{"report":"nope","column":"a","above":1}"#.utf8), key: manageKey)
        #expect(bad.status == 400 && bad.text.contains("alert.report"), "\(bad.text)")
        try await app.waitUntil("the built-in rules") {
            try await store.alerts(app: app.app.id).count == BuiltInAlerts.rules.count + 1
        }
        let off = try await client.put("/v1/alerts/events-late", Data(#"{"enabled":false}"#.utf8), key: manageKey)
        #expect(off.status == 200 && off.text.contains(#""enabled":false"#) && off.text.contains(#""built_in":true"#))
        let settings = #"{"deliver":[{"webhook":"https://example.com/secret"}],"summary":"weekly"}"#
        #expect(try await client.put("/v1/alerts", Data(settings.utf8), key: manageKey).status == 200)
        let list = try await client.get("/v1/alerts", key: app.readKey)
        #expect(list.status == 200 && list.text.contains(#""summary":"weekly""#) && !list.text.contains("secret"))
        #expect((try list.json()["alerts"] as? [Any])?.count == BuiltInAlerts.rules.count + 1)
        #expect(try await client.delete("/v1/alerts/a%2Fb", key: manageKey).status == 204)
        #expect(try await client.delete("/v1/alerts/a%2Fb", key: manageKey).status == 404)
        #expect(try await client.delete("/v1/alerts/sample-ratio", key: manageKey).status == 204)
        #expect(try await client.get("/v1/alerts/sample-ratio", key: manageKey).text.contains(#""enabled":false"#))
        let output = try await Program.run(["alerts", "list", "--database-url", app.conninfo])
        #expect(output.status == 0 && output.output.contains("sample-ratio\toff\texperiment.sample_ratio_p_anytime\t"))
        #expect(await collector.stop() == 0)
    }

    @Test func `the built-in rules find what they are for`() async throws {
        let manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let campaign = #"{"variants":[{"id":"a","control":true},{"id":"b"}]}"#
        #expect(try await client.put("/v1/campaigns/c", Data(campaign.utf8), key: manageKey).status == 200)
        let now = Date()
        func time(_ hours: Double) -> String { now.addingTimeInterval(-hours * 3_600).ISO8601Format() }
        var events: [[String: any Sendable]] = []
        func add(_ n: Int, _ kind: String, _ campaign: String, _ variant: String?, _ version: String, _ hours: Double) {
            var event = EventJSON.event([
                "kind": kind, "notification_id": "n\(campaign)\(n)", "device_id": "d\(n)", "campaign_id": campaign,
                "category_id": "k", "app_version": version, "platform": "ios", "occurred_at": time(hours),
            ])
            if let variant { event["variant"] = variant }
            if kind == "action" { event["action_identifier"] = "buy" }
            events.append(event)
        }
        for n in 1...600 {
            // Nine of ten in variant a; version 2 confirms a tenth, and campaign x converts nothing.
            let version = n % 2 == 0 ? "1" : "2"
            add(n, "sent", "c", n % 10 == 0 ? "b" : "a", version, 3)
            if version == "1" || n % 10 == 1 { add(n, "delivered", "c", n % 10 == 0 ? "b" : "a", version, 3) }
            if n <= 300 { add(n, "action", "c", n % 10 == 0 ? "b" : "a", version, 2) }
            // Half of the deliveries of campaign old convert after six hours, none of campaign x. Campaign new was just sent.
            for campaign in ["old", "x"] { add(n, "sent", campaign, nil, "1", 80) }
            if n % 2 == 0 { add(n, "action", "old", nil, "1", 74) }
            add(n, "sent", "new", nil, "1", 2.5)
        }
        for batch in stride(from: 0, to: events.count, by: 1_000) {
            let body = try EventJSON.body(Array(events[batch..<min(batch + 1_000, events.count)]))
            #expect(try await client.post("/v1/events", body, key: app.sendKey).status == 200)
        }
        // Events that come 30 hours late, and some that are rejected.
        let late = try EventJSON.body(
            (1...400).map { n in
                EventJSON.event(["notification_id": "late\(n)", "occurred_at": time(30)])
            })
        #expect(try await client.post("/v1/events", late, key: app.ingestKey).status == 200)
        let bad = try EventJSON.body((1...100).map { _ in EventJSON.event(["kind": "nonsense"]) })
        #expect(try await client.post("/v1/events", bad, key: app.ingestKey).status == 422)
        try await app.waitForRollups()
        let reports = ReportServiceFixture.service(app)
        let evaluator = AlertEvaluator(reports: reports)
        let moment = Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000) + 60_000_000)
        var (found, unclear): ([String: [String]], [String: [String]]) = ([:], [:])
        for rule in BuiltInAlerts.rules {
            let evaluation = try await evaluator.evaluate(rule, app: app.app.id, appName: app.app.name, at: moment)
            found[rule.name] = evaluation.results.filter { $0.finding == .outside }.map(\.series)
            unclear[rule.name] = evaluation.results.filter { $0.finding == .unclear }.map(\.series)
        }
        #expect(found["confirmation-coverage"] == [#"{"item":"2","platform":"ios"}"#])
        #expect(found["conversion-below-category"] == [#"{"campaign_id":"x","category_id":"k"}"#])
        #expect(found["events-late"] == ["{}"])
        #expect(found["rejected-share"] == ["{}"])
        #expect(unclear["rejected-share"] == [])
        #expect(found["rollups-behind"] == [])
        #expect(found["sample-ratio"] == [#"{"campaign_id":"c"}"#])
        #expect(found["spool-in-use"] == [])
        #expect(await collector.stop() == 0)
    }
}

/// The reports of a test's app.
enum ReportServiceFixture {
    static func service(_ app: TestApp) -> ReportService { ReportService(pool: app.database.reportReads) }
}
