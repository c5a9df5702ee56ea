import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Test func `before the first event, the overview has commands that post one, and shows it then`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/")
        try await browser.wait(for: "the commands", until: "document.querySelector('.welcome pre')")
        let commands = try await browser.text(".welcome pre")
        let path = "\(Program.url.deletingLastPathComponent().path):/usr/bin:/bin"
        let shell = try await Program.run(
            ["-euc", commands], program: URL(filePath: "/bin/bash"),
            environment: ["PATH": path, "AFTERPUSH_DATABASE_URL": shop.app.conninfo])
        #expect(shell.status == 0 && shell.output.contains(#""accepted":2"#), "\(shell)")
        try await browser.wait(for: "the event", until: "document.querySelector('.tile .big')?.innerText === '1'")
        #expect(try await tiles(browser, "numbers")["Sent"] == "1")
        try await visit.expectQuiet()
        await shop.collector.stop()
    }

    @Test func `while the collector is away, the page keeps its numbers and says so once`() async throws {
        let shop = try await DashboardFixture(filled: false)
        try await shop.post((0..<40).map { EventJSON.event(["kind": "sent", "notification_id": "n-\($0)"]) })
        try await shop.app.waitForRollups()
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/")
        let before: String = try await browser.evaluate("document.querySelector('main').innerText")
        #expect(try await tiles(browser, "numbers")["Sent"] == "40")
        await shop.collector.stop()
        try await browser.click(".refresh")
        try await browser.wait(for: "the notice", until: "!document.getElementById('notice').hidden")
        try await visit.settle("the page")
        let after: String = try await browser.evaluate("document.querySelector('main').innerText")
        // A panel has its menu once it has loaded.
        #expect(after == before.replacing("⋯\n", with: ""))
        #expect(try await browser.text("body").matches(of: /not responding/).count == 1)
        // A page that has nothing yet says it once, too.
        _ =
            try await browser.evaluate(
                "history.pushState(null, '', '/health'), dispatchEvent(new Event('routechange'))") as Bool?
        try await browser.wait(for: "health", until: "document.querySelector('h1').innerText === 'Health'")
        try await visit.settle("health")
        #expect(try await browser.text("body").matches(of: /not responding|Waiting/).count == 1)
        let again = try await CollectorProcess(conninfo: shop.app.conninfo, port: shop.collector.port)
        try await browser.wait(for: "the collector", until: "document.getElementById('notice').hidden")
        try await browser.wait(
            for: "health", until: "document.querySelector('[aria-labelledby=group-0] tbody tr')?.checkVisibility()")
        try await visit.expectQuiet(allowing: [503])
        await again.stop()
    }

    @Test func `a selection without deliveries is said once, with ways out of it`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        let panels = """
            [...document.querySelectorAll('main .panel h2')].filter((one) => one.checkVisibility())
                .map((one) => one.textContent)
            """
        try await visit.open("/?period=30d&campaign=none")
        #expect(try await browser.text(".nothing").hasPrefix("No deliveries in this selection: Last 30 days."))
        #expect(try await browser.evaluate(panels) == [String]())
        #expect(
            try await browser.texts(".nothing a") == ["Show all time", "Clear filters", "Look for one notification"])
        try await browser.click(".nothing a:nth-child(2)")
        try await browser.wait(for: "the tiles", until: "document.querySelector('[aria-labelledby=numbers] .tile')")
        #expect(try await visit.path == "/?period=30d")
        // What is about all of a campaign stays.
        try await visit.open("/campaigns/autumn?from=2020-01-01&to=2020-01-02")
        #expect(try await browser.text(".nothing").hasPrefix("No deliveries of this campaign"))
        #expect(try await browser.evaluate(panels) == ["Variants", "What it added"])
        try await visit.open("/campaigns/none?period=all")
        #expect(try await browser.evaluate(panels) == [String]())
        try await visit.expectQuiet()
    }

    @Test func `an unknown address, an unknown period and an unknown time zone are said in words`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/nothing/here")
        #expect(try await browser.text("h1") == "Page not found")
        #expect(try await browser.evaluate("document.querySelector('nav [aria-current]') === null"))
        #expect(try await browser.text("main").contains("There is nothing at the address /nothing/here."))
        try await browser.click("main a")
        try await browser.wait(for: "the overview", until: "document.querySelector('h1').innerText === 'Overview'")
        try await visit.open("/?period=90d&tz=Mars/Phobos")
        #expect(try await browser.text("#notice").contains("There is no time zone “\u{2068}Mars/Phobos\u{2069}”"))
        #expect(try await visit.path == "/?period=90d")
        #expect(try await browser.evaluate("document.getElementById('filter-tz').value") == "")
        #expect(try await browser.text("#zone-note").contains("Times and days are in"))
        try await visit.open("/?period=7days&platform=ios")
        #expect(
            try await browser.text("#notice")
                == "There is no period “\u{2068}7days\u{2069}”. The period is “Last 30 days” instead.")
        #expect(try await visit.path == "/?platform=ios")
        #expect(try await browser.evaluate("document.getElementById('filter-period').value") == "30d")
        try await visit.open("/?period=90d&tz=Europe/Berlin")
        #expect(try await browser.evaluate("document.getElementById('notice').hidden"))
        try await visit.expectQuiet(allowing: [404])
    }
}
