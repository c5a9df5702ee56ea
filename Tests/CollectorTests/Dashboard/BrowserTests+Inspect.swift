import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Test func `a row of Live leads to the whole story of its delivery`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/live")
        try await browser.wait(for: "the stream", until: "document.querySelector('.live-status.open')")
        let link = "[aria-labelledby=latest] tbody a[href^='/inspect']"
        try await shop.app.waitUntil("a row has a link") {
            // Repeatedly, because the first summary of a stream counts nothing.
            let event = EventJSON.event([
                "notification_id": "from-live", "campaign_id": "c", "occurred_at": Date.now.formatted(.iso8601),
            ])
            try await shop.post([event])
            try await browser.wait(for: "it", timeout: .seconds(3), until: "document.querySelector(\"\(link)\")")
            return true
        }
        try await browser.click("[aria-labelledby=latest] .panel-head button")
        try await browser.click(link)
        try await browser.wait(for: "the inspector", until: "document.querySelector('h1')?.innerText === 'Inspect'")
        try await visit.settle("the inspection")
        #expect(try await browser.text(".inspected h2") == "Delivery of from-live to d1")
        #expect(try await browser.texts(".timeline .wanted").count == 1, "the event of the row is marked")
        try await visit.expectQuiet()
        await shop.collector.stop()
    }

    @Test func `the inspector shows events, corrections, rejections and texts only on request`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let client = TestClient(url: shop.collector.url)
        let hostile = "<img src=x onerror=alert(6)>"
        let id = UUID().uuidString.lowercased()
        let now = Date.now.formatted(.iso8601)
        try await shop.post([
            EventJSON.event([
                "kind": "sent", "notification_id": hostile, "device_id": "d-inspect", "campaign_id": "autumn",
                "category_id": "sale", "platform": "ios",
                "occurred_at": Date.now.addingTimeInterval(-60).formatted(.iso8601),
            ]),
            EventJSON.event([
                "event_id": id, "kind": "text_input", "action_identifier": "answer", "user_text": "only on request",
                "notification_id": hostile, "device_id": "d-inspect", "occurred_at": now,
            ]),
        ])
        let bad = EventJSON.event(["event_id": "no", "notification_id": hostile, "occurred_at": now])
        let response = try await client.post("/v1/events", EventJSON.body([bad]), key: shop.app.sendKey)
        #expect(response.status == 422, "\(response.text)")
        try await shop.app.waitForRollups()
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/inspect")
        try await browser.type(hostile, into: "#inspect-id")
        try await browser.click(".inspect-form button")
        try await browser.wait(for: "the story", until: "document.querySelector('.timeline')")
        try await visit.settle("the story")
        #expect(try await browser.text(".verdict-title") == "This is the id of a notification.")
        #expect(try await browser.text(".inspected h2") == "Delivery of \(hostile) to d-inspect")
        let badges = try await browser.texts(".badges .badge")
        #expect(badges == ["Responded", "Converted", "Verified"], "\(badges)")
        let explanation = try await browser.text(".inspected .plain-list")
        #expect(
            explanation.contains("It counts as responded.") && explanation.contains("in the base sent"),
            "\(explanation)")
        #expect(try await browser.texts(".timeline .kind-name").prefix(2) == ["Sent", "Text input"])
        #expect(try await browser.text("main").contains("only on request") == false)
        #expect(try await browser.text("[aria-labelledby=inspect-rejected]").contains("event_id_invalid"))
        // A link to the device, and the texts.
        try await browser.click(".facts dd:nth-of-type(2) a")
        try await browser.wait(for: "the device", until: "document.querySelector('#inspect-id')?.value === 'd-inspect'")
        try await visit.settle("the device")
        try await browser.click("#inspect-text")
        try await browser.click(".inspect-form button")
        try await browser.wait(for: "the text", until: "document.querySelector('.timeline .answer')")
        #expect(try await browser.text(".timeline .answer").contains("only on request"))
        #expect(try await visit.path == "/inspect?id=d-inspect&text=true")
        // An id that nothing has.
        try await visit.open("/inspect?id=nothing-has-this")
        let hints = try await browser.text(".verdict")
        #expect(
            hints.contains("Nothing that is stored has this id.")
                && hints.contains("The last event of this app was stored"))
        try await visit.expectQuiet()
        await shop.collector.stop()
    }

    @Test func `a share over too few deliveries is given as two numbers, not as 0 percent`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let now = Date.now.formatted(.iso8601)
        try await shop.post(
            (0..<3).flatMap { number in
                let names: [String: any Sendable] = [
                    "notification_id": "few-\(number)", "device_id": "few-\(number)", "occurred_at": now,
                ]
                return [
                    EventJSON.event(names.merging(["kind": "sent"]) { $1 }),
                    EventJSON.event(names.merging(["kind": "opened", "campaign_id": "late"]) { $1 }),
                ]
            })
        try await shop.app.waitForRollups()
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        try await visit.open("/")
        let titles = try await visit.browser.texts("[aria-labelledby=attention] .finding-title")
        #expect(titles.contains("Missing from sends, for 3 of 3 deliveries: campaign"), "\(titles)")
        #expect(!titles.contains { $0.contains("0.0%") || $0.contains("–") }, "\(titles)")
        try await visit.expectQuiet()
        await shop.collector.stop()
    }
}
