import Foundation
import TestSupport
import Testing

extension BrowserTests {
    private static let pages = [
        ("overview", "/?period=90d"), ("campaign", "/campaigns/autumn?period=90d"),
        ("category", "/categories/sale?period=90d"), ("live", "/live"), ("reports", "/reports"),
        ("report", "/reports/conversion?by=campaign&period=90d"), ("health", "/health?period=90d"), ("login", "/login"),
        ("nothing", "/?platform=watchos"), ("inspect", "/inspect?id=device-1"), ("inspect-nothing", "/inspect?id=none"),
        ("inspect-form", "/inspect"), ("declare", "/declare"),
    ]

    private static func findings() throws -> String {
        try String(
            contentsOf: Program.root.appending(path: "Tests/TestSupport/Browser/accessibility.js"), encoding: .utf8)
    }

    /// The directory for screenshots of all pages, if set.
    private static let screenshots = ProcessInfo.processInfo.environment["AFTERPUSH_SCREENSHOTS"]

    @Test(arguments: ["light", "dark"])
    func `every page is readable and accessible on a wide screen and on a phone`(scheme: String)
        async throws
    {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        let script = try Self.findings()
        try await browser.setColorScheme(scheme)
        for (name, path) in Self.pages {
            try await browser.setSize((1_280, 900))
            if name == "login" { try await browser.open(visit.url + path) } else { try await visit.open(path) }
            for (size, width) in [("wide", 1_280), ("phone", 360)] {
                try await browser.setSize((width, width > 600 ? 900 : 740))
                try await browser.wait(for: "its width", until: "innerWidth <= \(width)")
                let findings: [String] = try await browser.evaluate(script)
                #expect(findings.isEmpty, "\(name), \(size), \(scheme):\n\(findings.joined(separator: "\n"))")
                try await browser.wait(
                    for: "\(name) without scrolling sideways on a screen of \(width)",
                    until: "document.documentElement.scrollWidth <= \(width)")
                if let screenshots = Self.screenshots {
                    let file = "\(name)-\(size)-\(scheme).png"
                    try await browser.screenshot().write(to: URL(filePath: screenshots).appending(path: file))
                }
            }
            let ground: Double = try await browser.evaluate(
                "Number(getComputedStyle(document.body).backgroundColor.match(/\\d+/)[0]) / 255")
            #expect(scheme == "dark" ? ground < 0.25 : ground > 0.75, "\(name): \(ground)")
        }
        try await visit.expectQuiet()
    }

    @Test func `the header shows the app's name at any width, and nothing in it overlaps`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/reports")
        try await browser.wait(for: "the name", until: "document.getElementById('app-name').innerText === 'shop'")
        for width in [1_280, 1_160, 1_024, 900, 768, 600, 360] {
            try await browser.setSize((width, 900))
            try await browser.wait(for: "its width", until: "innerWidth <= \(width)")
            let overlaps: [String] = try await browser.evaluate(
                """
                [...document.querySelectorAll('.brand, nav a, #app-name, #theme, .account button')]
                    .map((one) => [one.innerText, one.getBoundingClientRect()])
                    .flatMap(([text, one], index, all) => all.slice(index + 1)
                        .filter(([, other]) => one.left < other.right && other.left < one.right
                            && one.top < other.bottom && other.top < one.bottom)
                        .map(([other]) => `${text} and ${other}`))
                """)
            #expect(overlaps.isEmpty, "\(width): \(overlaps)")
            let name: Double = try await browser.evaluate(
                "document.getElementById('app-name').getBoundingClientRect().width")
            #expect(name > 30, "\(width): \(name)")
            let heights: [Double] = try await browser.evaluate(
                "['#theme', '.account button'].map((one) => document.querySelector(one).offsetHeight)")
            #expect(heights[1] <= heights[0] + 1, "the button has one line at \(width): \(heights)")
        }
        try await visit.expectQuiet()
    }

    @Test func `a chosen theme is kept, whatever the system prefers`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/reports")
        let ground = "getComputedStyle(document.body).backgroundColor"
        let light: String = try await browser.evaluate(ground)
        func choose(_ theme: String) async throws {
            _ =
                try await browser.evaluate(
                    """
                    [document.getElementById('theme')].forEach((select) => {
                        select.value = '\(theme)';
                        select.dispatchEvent(new Event('change', { bubbles: true }));
                    })
                    """) as Bool?
        }
        try await choose("dark")
        try await browser.wait(for: "the dark", until: "\(ground) !== '\(light)'")
        try await visit.open("/reports")
        #expect(try await browser.evaluate(ground) != light)
        try await choose("system")
        try await browser.wait(for: "the light", until: "\(ground) === '\(light)'")
        try await browser.setColorScheme("dark")
        #expect(try await browser.evaluate(ground) != light)
        try await visit.expectQuiet()
    }

    @Test func `everything can be done with the keyboard, and the focus is visible`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url)
        let browser = visit.browser
        func tab(to what: String) async throws {
            for _ in 0..<150 {
                try await browser.press(.tab)
                if try await browser.evaluate("document.activeElement.matches(\(Browser.literal(what)))") {
                    let isSeen: Bool = try await browser.evaluate(
                        """
                        (() => {
                            const style = getComputedStyle(document.activeElement);
                            return document.activeElement.checkVisibility()
                                && (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
                                    || style.boxShadow !== 'none');
                        })()
                        """)
                    #expect(isSeen, "the focus on \(what) is not visible")
                    return
                }
            }
            throw Program.Failed(message: "the keyboard does not reach \(what)")
        }
        try await browser.open(visit.url + "/login?next=%2F%3Fperiod%3D90d")
        // The browser moves the focus when it first draws the page, which may be after the page has loaded.
        try await browser.wait(for: "the focus on the key", until: "document.activeElement.matches('input')")
        try await browser.type(shop.app.readKey, into: ":focus")
        try await browser.press(.enter)
        try await browser.wait(for: "the overview", until: "document.querySelector('nav')")
        try await visit.settle("the overview")
        try await tab(to: ".skip")
        try await browser.press(.enter)
        #expect(try await browser.evaluate("document.activeElement.id") == "main")
        try await tab(to: "a[href^='/campaigns/winter']")
        try await browser.press(.enter)
        try await browser.wait(for: "the campaign", until: "document.querySelector('h1').innerText === 'winter'")
        try await visit.settle("the campaign")
        try await tab(to: "[aria-labelledby=actions] th:nth-child(4) button")
        try await browser.press(.enter)
        let sorted = "document.querySelector('[aria-labelledby=actions] th:nth-child(4)').ariaSort"
        #expect(try await browser.evaluate(sorted) == "descending")
        try await browser.press(.space)
        #expect(try await browser.evaluate(sorted) == "ascending")
        try await visit.open("/reports")
        try await tab(to: "form[action='/logout'] button")
        try await browser.press(.enter)
        try await browser.wait(for: "the form", until: "location.pathname === '/login'")
        try await visit.expectQuiet()
    }

    @Test func `names and texts from devices are shown as text, whatever they contain`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        let campaign = DashboardFixture.hostileCampaign
        let markup =
            "document.querySelectorAll('main script, main img[src=x], main b, main i, main u, [onclick], [onerror]').length"
        for (path, texts) in [
            ("/?period=90d", [campaign, DashboardFixture.hostileCategory]),
            (
                "/campaigns/" + TestClient.part(campaign),
                [campaign, DashboardFixture.hostileAction, DashboardFixture.hostileReply, "<i>a</i>", "@b"]
            ),
            ("/categories/" + TestClient.part(DashboardFixture.hostileCategory), [DashboardFixture.hostileCategory]),
            ("/reports/replies?period=90d&include_text=true", [DashboardFixture.hostileReply]),
            ("/reports/conversion?by=campaign,variant&period=90d", [campaign, "<i>a</i>"]),
            ("/health?period=90d", ["<u>1</u>"]),
            (
                "/?period=90d&campaign=" + TestClient.part(campaign) + "&tz=" + TestClient.part("<b>x</b>"),
                [campaign]
            ),
        ] {
            try await visit.open(path)
            let shown: String = try await browser.evaluate("document.querySelector('main').textContent")
            for text in texts { #expect(shown.contains(text), "\(path) does not show \(text)") }
            #expect(try await browser.evaluate(markup) == 0, "\(path)")
        }
        try await visit.expectQuiet()
        try await expectTextLive(campaign, markup)
    }

    private func expectTextLive(_ campaign: String, _ markup: String) async throws {
        let shop = try await DashboardFixture(filled: false)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/live")
        try await browser.wait(for: "the stream", until: "document.querySelector('.live-status.open')")
        try await shop.app.waitUntil("it is shown live") {
            try await shop.post([EventJSON.event(["campaign_id": campaign, "category_id": "x\n\ndata: {}\n\n"])])
            try await browser.wait(
                for: campaign, timeout: .seconds(3),
                until:
                    "document.querySelector('[aria-labelledby=latest]').textContent.includes(\(Browser.literal(campaign)))"
            )
            return true
        }
        #expect(try await browser.evaluate(markup) == 0)
        try await visit.expectQuiet()
        await shop.collector.stop()
    }
}
