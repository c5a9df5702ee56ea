import Foundation
import SeededRandom
import Synchronization
import TestSupport
import Testing

/// Tests the service worker script in a real browser, against a real collector behind a faulty network.
@Suite(
    .serialized, .timeLimit(.minutes(3)),
    .enabled(
        if: Browser.isInstalled,
        "SKIPPED: the service worker is not tested, because Debian's chromium or chromium-driver is not installed"))
struct ServiceWorkerTests {
    @Test func `each event of a web push is stored once, whatever the network does`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let dice = Mutex(SeededGenerator(seed: 1))
        let proxy = try HTTPFaultProxy(to: collector.port) {
            dice.withLock { dice in
                Bool.random(using: &dice) ? .pass : HTTPFaultProxy.Fault.allCases.randomElement(using: &dice) ?? .pass
            }
        }
        defer { proxy.close() }
        let receipt = try await receipt(app, collector)
        let site = try site(collector: "http://127.0.0.1:\(proxy.port)", key: app.ingestKey)
        defer { site.close() }
        let browser = try await Browser()
        try await start(site, browser)

        try await push(
            #"{"msgid":"n1","campaign_id":"spring","variant":"b","category_id":"sale","tag":"a"}"#, site, browser)
        try await push(#"{"afterpush":"\#(receipt)","tag":"b"}"#, site, browser)
        try await browser.wait(for: "both notifications", until: Self.showsNotifications(2))
        try await sendMessage(#"{"type":"notificationclick","tag":"a","action":"book"}"#, browser)
        try await sendMessage(#"{"type":"notificationclick","tag":"a","action":"answer","reply":"ça va"}"#, browser)
        try await sendMessage(#"{"type":"notificationclick","tag":"a"}"#, browser)
        try await sendMessage(#"{"type":"notificationclose","tag":"b"}"#, browser)
        try await sendMessage(
            #"{"call":"record","with":["converted",{"msgid":"n1"},{"name":"order","value":49.9,"currency":"EUR"}]}"#,
            browser)
        try await app.waitUntil("9 events are stored") {
            try await sendMessage(#"{"call":"flush"}"#, browser)
            return try await app.value("select count(*) from afterpush.events") == "9"
        }
        let stored = try await app.value(
            """
            select string_agg(concat_ws(' ', notification_id, kind, action_identifier, value, verified), ', '
                order by notification_id, kind, action_identifier)
            from afterpush.events
            """)
        #expect(
            stored == """
                n1 delivered f, n1 displayed f, n1 opened f, n1 action book f, n1 text_input answer f, \
                n1 converted 49.9 f, n2 delivered t, n2 displayed t, n2 dismissed t
                """)
        let devices = try await app.value("select string_agg(distinct device_id, ' ') from afterpush.events")
        #expect(devices?.firstMatch(of: /^[0-9a-f-]{36} d-of-receipt$/) != nil, "\(devices ?? "")")
        #expect(
            try await app.value(
                """
                select string_agg(distinct concat_ws(' ', campaign_id, variant, category_id, platform, app_version), ',')
                from afterpush.events where notification_id = 'n1' and kind <> 'converted'
                """) == "spring b sale web 9")
        #expect(try await app.value("select user_text from afterpush.replies") == "ça va")
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "0")

        let text = String(repeating: "x", count: 70_000)
        try await sendMessage(#"{"call":"record","with":["app_opened",null,{"user_text":"\#(text)"}]}"#, browser)
        try await sendMessage(#"{"call":"record","with":["app_opened"]}"#, browser)
        try await app.waitUntil("the event after one that can't be sent is stored") {
            try await sendMessage(#"{"call":"flush"}"#, browser)
            return try await app.value("select count(*) from afterpush.events") == "10"
        }
        #expect(
            try await app.value(
                "select properties #>> '{afterpush_dropped,refused}' from afterpush.events where kind = 'app_opened'")
                == "1")

        // An event that is just being recorded is not queued after the queue was emptied.
        try await sendMessages([#"{"call":"record","with":["app_opened"]}"#, #"{"call":"optOut"}"#], browser)
        try await sendMessage(#"{"call":"record","with":["app_opened"]}"#, browser)
        try await sendMessage(#"{"call":"flush"}"#, browser)
        #expect(try await app.value("select count(*) from afterpush.events") == "10")
        await browser.close()
    }

    private func receipt(_ app: TestApp, _ collector: CollectorProcess) async throws -> String {
        let order = #"{"receipts":[{"notification_id":"n2","device_id":"d-of-receipt"}]}"#
        let response = try await TestClient(url: collector.url).post("/v1/receipts", Data(order.utf8), key: app.sendKey)
        return try #require((try response.json()["receipts"] as? [String])?.first)
    }

    private func site(collector: String, key: String) throws -> PageServer {
        let file = Program.root.appending(path: "Tests/CollectorTests/Fixtures/service-worker.js")
        let worker = try String(contentsOf: file, encoding: .utf8)
            .replacing("COLLECTOR", with: collector).replacing("KEY", with: key)
        return try PageServer(["/": "<!doctype html><title>A shop</title>", "/worker.js": worker])
    }

    /// Opens the site with its worker and the permission to show notifications.
    private func start(_ site: PageServer, _ browser: Browser) async throws {
        let _: Browser.Nothing = try await browser.command(
            "Browser.grantPermissions", ["permissions": ["notifications"], "origin": site.url])
        let _: Browser.Nothing = try await browser.command("ServiceWorker.enable")
        // Over this network the script may need several attempts to load.
        for _ in 0..<20 {
            try await browser.open(site.url + "/")
            let isRegistered: Bool = try await browser.evaluate(
                "navigator.serviceWorker.register('/worker.js').then(() => true, () => false)")
            if isRegistered { break }
        }
        try await browser.wait(for: "the worker", until: "navigator.serviceWorker.controller")
    }

    /// Delivers a push as a push service does.
    private func push(_ payload: String, _ site: PageServer, _ browser: Browser) async throws {
        // It is unknown which of the registration attempts succeeded; the others have no effect.
        for id in 0..<20 {
            let _: Browser.Nothing = try await browser.command(
                "ServiceWorker.deliverPushMessage", ["origin": site.url, "registrationId": "\(id)", "data": payload])
        }
    }

    private func sendMessage(_ message: String, _ browser: Browser) async throws {
        try await sendMessages([message], browser)
    }

    /// Sends messages without waiting between them, and waits for all answers.
    private func sendMessages(_ messages: [String], _ browser: Browser) async throws {
        let response: String = try await browser.evaluate(
            """
            Promise.all([\(messages.joined(separator: ", "))].map((message) => new Promise((done) => {
                const channel = new MessageChannel();
                channel.port1.onmessage = (event) => done(event.data);
                navigator.serviceWorker.controller.postMessage(message, [channel.port2]);
            }))).then((answers) => answers.join())
            """)
        #expect(response == messages.map { _ in "done" }.joined(separator: ","))
    }

    /// Whether that many notifications are shown. Each call starts a new query, because an expression can't wait.
    private static func showsNotifications(_ count: Int) -> String {
        """
        (navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => self.seen = all.length),
            self.seen === \(count))
        """
    }
}
