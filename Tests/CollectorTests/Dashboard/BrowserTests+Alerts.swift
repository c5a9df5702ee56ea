import Alerts
import Foundation
import Storage
import TestSupport
import Testing

extension BrowserTests {
    private static let hostileRule = "<img src=x onerror=alert(5)>"

    /// A rule that watches the opened deliveries of each campaign.
    private static func watched(above bound: Int) -> String {
        """
        {"report":"conversion","parameters":{"by":"campaign"},"series":["campaign_id"],"column":"opened",
         "above":\(bound),"every":"1s"}
        """
    }

    @Test func `the page on alerts shows what fires, all rules, what happened, and where messages go`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let store = AlertStore(pool: shop.app.database.owner)
        let opened = EventJSON.event(["kind": "opened", "campaign_id": "c", "occurred_at": Date().ISO8601Format()])
        try await shop.post([opened])
        try await shop.app.waitForRollups()
        for (name, rule) in [
            (
                Self.hostileRule,
                Self.watched(above: 0)
            ),
            ("quiet", #"{"report":"conversion","column":"opened","below":1,"above":7,"every":"1s"}"#),
            (
                "weekly",
                """
                {"report":"conversion","column":"open_rate","band":{"weeks":2,"tolerance":0.25},"window":"1h",
                 "every":"1h","enabled":false}
                """
            ),
        ] {
            try await store.put(try AlertRule(Array(rule.utf8), name: name), app: shop.app.app.id)
        }
        let settings = """
            {"deliver":[{"webhook":"https://hooks.example.com/secret"},{"email":"ops@example.com"}],"summary":"daily"}
            """
        try await store.put(try AlertSettings(Array(settings.utf8)), app: shop.app.app.id)
        try await shop.app.waitUntil("the alert fires, and another is evaluated") {
            let alerts = try await store.alerts(app: shop.app.app.id)
            func phase(_ name: String) -> AlertState.Phase? {
                alerts.first { $0.rule.name == name }?.states.first?.state.phase
            }
            return phase(Self.hostileRule) == .firing && phase("quiet") == .ok
        }
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/")
        try await browser.click("nav a[href^='/alerts']")
        try await browser.wait(for: "the page", until: "document.querySelector('h1').innerText === 'Alerts'")
        try await visit.settle("the alerts")

        let firing = try await cells(browser, "firing")
        #expect(firing.count == 1 && firing.first?[0] == "\(Self.hostileRule) campaign_id c", "\(firing)")
        #expect(firing.first?[1] == "firing" && firing.first?[3].contains("opened of report conversion is 1") == true)

        let rules = try await cells(browser, "rules")
        #expect(rules.count == BuiltInAlerts.rules.count + 3, "\(rules)")
        func rule(_ name: String) throws -> [String] { try #require(rules.first { $0[0] == name }, "\(rules)") }
        #expect(try rule(Self.hostileRule)[1...3] == ["firing", "conversion.opened at most 0 deliveries", "1"])
        #expect(try rule("quiet")[1...3] == ["ok", "conversion.opened 1 to 7 deliveries", "1"])
        #expect(try rule("weekly")[1...2] == ["off", "conversion.open_rate within 25 % of the 2 weeks before"])
        #expect(try rule("events-late built in")[2] == "health delay over_24h at most 5 %")
        #expect(try rule("sample-ratio built in")[2].hasPrefix("experiment.sample_ratio_p_anytime"))

        let history = try await cells(browser, "history")
        #expect(history.count == 1 && history.first?[2] == "firing", "\(history)")

        let part = "[aria-labelledby=destinations]"
        let destinations = try await browser.texts("\(part) li, \(part) p")
        // A read key does not see the whole address.
        #expect(destinations.contains("webhook: https://hooks.example.com/…"), "\(destinations)")
        #expect(destinations.contains("Summary: daily."), "\(destinations)")
        #expect(!destinations.contains { $0.contains("secret") })
        try await visit.expectQuiet()

        // What changes is shown once the page is refreshed.
        try await store.put(
            try AlertRule(Array(Self.watched(above: 5).utf8), name: Self.hostileRule), app: shop.app.app.id)
        try await shop.app.waitUntil("the alert resolves") {
            try await store.alerts(app: shop.app.app.id, only: Self.hostileRule).first?.states.first?.state.phase == .ok
        }
        try await visit.open("/alerts")
        #expect(try await browser.texts("[aria-labelledby=firing]").joined().contains("No alert is firing."))
        #expect(try await cells(browser, "history").map { $0[2] }.sorted() == ["firing", "ok"])
        try await visit.expectQuiet()
        #expect(await shop.collector.stop() == 0)
    }
}
