import Events
import Foundation
import Storage
import TestSupport
import Testing

extension BrowserTests {
    /// Signs in through the form.
    private func signIn(_ visit: BrowserVisit, _ key: String) async throws {
        try await visit.browser.type(key, into: "#key")
        try await visit.browser.click("form button[type=submit]")
    }

    @Test func `signing in leads to the requested page, and signing out removes access`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let visit = try await BrowserVisit(shop.collector.url)
        let browser = visit.browser
        try await browser.open(visit.url + "/reports?period=7d")
        #expect(try await visit.path == "/login?next=%2Freports%3Fperiod%3D7d")
        #expect(try await browser.evaluate("document.activeElement.id") == "key")
        let errors = "[...document.querySelectorAll('[data-for]')].filter((e) => e.checkVisibility()).length"
        #expect(try await browser.evaluate(errors) == 0)
        try await signIn(visit, "ap_read_wrong")
        try await browser.wait(for: "the reason", until: "document.querySelector('[data-for=key]')?.checkVisibility()")
        #expect(try await browser.evaluate(errors) == 1)
        try await signIn(visit, shop.app.ingestKey)
        try await browser.wait(
            for: "the reason", until: "document.querySelector('[data-for=scope]')?.checkVisibility()")
        try await signIn(visit, shop.app.readKey)
        try await browser.wait(for: "the reports", until: "document.querySelector('.report-list')")
        #expect(try await visit.path == "/reports?period=7d")
        #expect(try await browser.evaluate("document.cookie") == "", "scripts can't read the session cookie")

        try await browser.click("form[action='/logout'] button")
        try await browser.wait(
            for: "the form", until: "location.pathname === '/login' && document.querySelector('#key')")
        _ = try await browser.evaluate("history.back()") as Bool?
        try await browser.wait(for: "the form again", until: "location.pathname === '/login'")
        #expect(try await browser.text("body").contains("overview") == false)
        try await visit.expectQuiet(allowing: [401, 403])
        await shop.collector.stop()
    }

    @Test func `a page and its live stream lead to the sign-in form after their key is revoked`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let key = try await shop.app.registry.createKey(app: shop.app.app, scope: .read)
        let id = try #require(try await shop.app.registry.keys(app: shop.app.app).last).id
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session(key: key))
        try await visit.open("/live")
        try await visit.browser.wait(for: "the stream", until: "document.querySelector('.live-status.open')")
        try await shop.app.registry.revokeKey(id)
        try await visit.browser.wait(for: "the form", until: "location.pathname === '/login'")
        #expect(try await visit.path == "/login?next=%2Flive")
        try await visit.expectQuiet(allowing: [401])
        await shop.collector.stop()
    }

    @Test func `a page says that its session has ended, and returns after signing in`() async throws {
        let shop = try await DashboardFixture(environment: ["AFTERPUSH_SESSION_LIFETIME": "5s"], filled: false)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/health")
        try await browser.wait(for: "the notice", until: "!document.getElementById('notice').hidden")
        #expect(try await browser.text("#notice").contains("Your session ended"))
        try await browser.click("#notice a")
        try await browser.wait(for: "the form", until: "document.querySelector('#key')")
        try await signIn(visit, shop.app.readKey)
        try await browser.wait(for: "health", until: "document.querySelector('h1')?.innerText === 'Health'")
        try await visit.expectQuiet(allowing: [401])
        await shop.collector.stop()
    }

    @Test func `new events are shown as they arrive, also after the collector was down`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/live")
        try await browser.wait(for: "the stream", until: "document.querySelector('.live-status.open')")
        func expectShown(_ campaign: String) async throws {
            // Repeatedly, because the first summary of a stream counts nothing.
            try await shop.app.waitUntil("\(campaign) is shown") {
                try await shop.post([EventJSON.event(["campaign_id": campaign, "platform": "ios"])])
                try await browser.wait(
                    for: campaign, timeout: .seconds(3),
                    until: "document.querySelector('[aria-labelledby=latest]').innerText.includes('\(campaign)')")
                return true
            }
        }
        try await expectShown("first-campaign")
        #expect(try await browser.text("[aria-labelledby=latest] tbody").contains("Opened"))
        await shop.collector.stop()
        try await browser.wait(for: "the loss", until: "document.querySelector('.live-status.lost')")
        let again = try await CollectorProcess(conninfo: shop.app.conninfo, port: shop.collector.port)
        try await browser.wait(
            for: "the stream again", timeout: .seconds(40), until: "document.querySelector('.live-status.open')")
        try await expectShown("second-campaign")
        try await visit.expectQuiet(allowing: [503])
        await again.stop()
    }
}
