import Foundation
import TestSupport
import Testing

// What readers take along, keep and share, and how they narrow a page down.
extension BrowserTests {
    /// Opens the menu of a panel and clicks on one of its items.
    private func choose(_ item: String, in panel: String, _ browser: Browser) async throws {
        // The filters cover the top of the window. New browsers return a promise, which is no value of ours.
        let button = "document.querySelector('[aria-labelledby=\(panel)] .menu-button')"
        let isThere: Bool = try await browser.evaluate("(\(button).scrollIntoView({ block: 'center' }), true)")
        #expect(isThere)
        try await browser.click("[aria-labelledby=\(panel)] .menu-button")
        let index: Int = try await browser.evaluate(
            """
            [...document.querySelectorAll('[aria-labelledby=\(panel)] .menu-list > *')]
                .findIndex((one) => one.textContent === \(Browser.literal(item)))
            """)
        try #require(index >= 0, "the menu of \(panel) has no \(item)")
        try await browser.click("[aria-labelledby=\(panel)] .menu-list > :nth-child(\(index + 1))")
    }

    private func downloaded(_ name: String, _ browser: Browser) async throws -> Data {
        let file = URL(filePath: browser.downloads + "/" + name)
        try await shop.app.waitUntil("\(name) is there") { FileManager.default.fileExists(atPath: file.path) }
        let data = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        return data
    }

    @Test func `a panel's menu has its rows as CSV, its chart as PNG, a link to it and its report`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d&platform=ios")
        try await choose("Download CSV", in: "by-campaign", browser)
        let rows = CSV.parse(String(decoding: try await downloaded("conversion.csv", browser), as: UTF8.self))
        let report = try await self.rows("/v1/reports/conversion?by=campaign&platform=ios")
        #expect(rows.count == report.count + 1 && rows[0].first == "campaign_id", "\(rows)")
        #expect(Set(rows.dropFirst().map { $0[0] }) == Set(report.map { $0["campaign_id"] as? String ?? "" }))
        try await browser.wait(
            for: "the chart", until: "document.querySelector('[aria-labelledby=activity] canvas')?.width > 300")
        try await choose("Download PNG", in: "activity", browser)
        let picture = try await downloaded("activity.png", browser)
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.count > 5_000, "\(picture.count) bytes")
        try await choose("Copy link", in: "by-campaign", browser)
        try await browser.wait(
            for: "the copy", until: "document.getElementById('announcer').textContent === 'Link copied'")
        // A table has no picture.
        try await browser.click("[aria-labelledby=by-campaign] .menu-button")
        #expect(
            try await browser.texts("[aria-labelledby=by-campaign] .menu-list > *") == [
                "Download CSV", "Copy link", "Open as report",
            ])
        try await browser.press(.escape)
        let isClosed = "document.querySelector('[aria-labelledby=by-campaign] .menu-list').hidden"
        #expect(try await browser.evaluate("\(isClosed) && document.activeElement.matches('.menu-button')"))
        try await choose("Open as report", in: "by-campaign", browser)
        try await browser.wait(for: "the report", until: "location.pathname === '/reports/conversion'")
        try await visit.settle("the report")
        #expect(try await visit.path == "/reports/conversion?period=90d&platform=ios&by=campaign")
        #expect(try await cells(browser, "rows").count == report.count)
        try await visit.expectQuiet()
    }

    @Test func `filters list only what has data, the most frequent first, and variants of the campaign`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d")
        func options(_ name: String) async throws -> [String] {
            try await browser.wait(
                for: "the values of \(name)", until: "document.getElementById('filter-\(name)').options.length > 2")
            return try await browser.evaluate(
                "[...document.getElementById('filter-\(name)').options].map((one) => one.textContent)")
        }
        let platforms = try await options("platform")
        #expect(platforms.first == "All platforms" && platforms.count == 4, "\(platforms)")
        #expect(platforms[1].hasPrefix("iOS (") && !platforms.contains { $0.hasPrefix("watchOS") }, "\(platforms)")
        let campaigns = try await options("campaign")
        #expect(campaigns.contains("Autumn sale (800)") && campaigns.contains("winter (800)"), "\(campaigns)")
        #expect(try await browser.evaluate("document.getElementById('filter-variant').closest('.field').hidden"))
        try await visit.open("/?period=90d&campaign=autumn")
        #expect(try await options("variant") == ["All variants", "a (400)", "b (400)"])
        _ =
            try await browser.evaluate(
                """
                [document.getElementById('filter-variant')].forEach((select) => {
                    select.value = 'b';
                    select.dispatchEvent(new Event('change', { bubbles: true }));
                })
                """) as Bool?
        try await browser.wait(for: "the filter", until: "location.search.includes('variant=b')")
        try await visit.settle("the variant")
        #expect(try await tiles(browser, "numbers")["Sent"] == "400")
        // A period without data has no values.
        try await visit.open("/?from=2020-01-01&to=2020-01-02")
        #expect(try await browser.evaluate("document.getElementById('filter-platform').options.length") == 1)
        try await visit.expectQuiet()
    }

    @Test func `a click on a row opens or filters by what the row is about`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d")
        try await browser.click("[aria-labelledby=by-platform] tbody tr:first-child td:nth-child(2)")
        try await browser.wait(for: "the filter", until: "/[?&]platform=/.test(location.search)")
        try await visit.open("/?period=90d")
        try await browser.click("[aria-labelledby=by-category] tbody tr:first-child td:nth-child(2)")
        try await browser.wait(for: "the category", until: "location.pathname.startsWith('/categories/')")
        try await visit.open("/reports/conversion?by=campaign,variant&period=90d")
        try await browser.click("[aria-labelledby=rows] tbody tr:first-child td:nth-child(3)")
        try await browser.wait(for: "the group", until: "location.search.includes('campaign=')")
        try await visit.settle("the group")
        #expect(try await visit.path.contains("by=variant"))
        let heads = try await browser.texts("[aria-labelledby=rows] thead th")
        #expect(heads.first?.hasPrefix("Variant") == true, "\(heads)")
        try await visit.expectQuiet()
    }

    @Test func `a report is filtered by app version where it can be, by a click or with the filter`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/reports/conversion?by=app_version&period=90d")
        let versions = try await browser.texts("[aria-labelledby=rows] tbody th")
        #expect(versions.contains("2.3.1") && versions.contains("2.4.0"), "\(versions)")
        let place = try #require(versions.firstIndex(of: "2.3.1")) + 1
        try await browser.click("[aria-labelledby=rows] tbody tr:nth-child(\(place)) td:nth-child(2)")
        try await browser.wait(
            for: "the version",
            until: "location.search.includes('app_version=2.3.1') && location.search.includes('by=day')")
        try await visit.settle("the version")
        #expect(try await browser.evaluate("document.getElementById('filter-app_version').value") == "2.3.1")
        try await visit.open("/reports/conversion?by=app_version&period=90d&app_version=2.3.1")
        #expect(try await browser.texts("[aria-labelledby=rows] tbody th") == ["2.3.1"])
        // The others have no such filter.
        for path in ["/?app_version=2.3.1", "/reports/actions?app_version=2.3.1"] {
            try await visit.open(path)
            #expect(
                try await browser.evaluate("document.getElementById('filter-app_version').closest('.field').hidden"))
        }
        try await visit.expectQuiet()
    }

    @Test func `keys change the period and the page, and a question mark lists them`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d&platform=ios")
        for (key, period) in [("y", "yesterday"), ("m", "month"), ("w", "7d")] {
            try await browser.type(key, into: "body")
            try await browser.wait(
                for: period, until: "new URLSearchParams(location.search).get('period') === '\(period)'")
        }
        try await browser.type("x", into: "body")
        try await browser.wait(for: "no filter", until: "!location.search.includes('platform')")
        try await browser.type("gr", into: "body")
        try await browser.wait(for: "the reports", until: "location.pathname === '/reports'")
        try await visit.settle("the reports")
        try await browser.type("yx", into: "#report-search")
        #expect(try await visit.path == "/reports?period=7d", "keys in a field are text")
        try await browser.type("?", into: "body")
        #expect(try await browser.texts("dialog h2") == ["Keyboard shortcuts"])
        #expect(Set(["last 7 days", "inspect", "declare"]).isSubset(of: try await browser.texts("dialog dd")))
        try await browser.click("#shortcuts-on")
        try await browser.press(.escape)
        try await browser.wait(for: "no dialog", until: "!document.querySelector('dialog')")
        try await browser.type("go", into: "body")
        try await browser.type("?", into: "body")
        #expect(try await browser.evaluate("location.pathname === '/reports' && !document.querySelector('dialog')"))
        // The button still opens the list, to turn them on again.
        try await browser.click("#shortcuts")
        try await browser.click("#shortcuts-on")
        try await browser.click("dialog button")
        try await browser.type("go", into: "body")
        try await browser.wait(for: "the overview", until: "location.pathname === '/'")
        try await visit.settle("the overview")
        try await visit.expectQuiet()
    }

    @Test func `a view is saved under a name, opened and deleted`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/campaigns/autumn?period=90d&platform=ios")
        func open(_ item: Int) async throws {
            try await browser.click(".view-menu .menu-button")
            try await browser.click(".view-menu .menu-list > :nth-child(\(item))")
        }
        try await open(1)
        try await browser.wait(for: "the form", until: "document.querySelector('#view-name')")
        _ = try await browser.evaluate("document.getElementById('view-name').value = ''") as String
        try await browser.type("<b>iOS</b> in autumn", into: "#view-name")
        try await browser.press(.enter)
        try await browser.wait(for: "no form", until: "!document.querySelector('dialog')")
        try await visit.open("/health")
        try await browser.click(".view-menu .menu-button")
        #expect(try await browser.texts(".saved-view a") == ["<b>iOS</b> in autumn"])
        try await browser.click(".saved-view a")
        try await browser.wait(for: "the view", until: "location.pathname === '/campaigns/autumn'")
        try await visit.settle("the view")
        #expect(try await visit.path == "/campaigns/autumn?period=90d&platform=ios")
        try await browser.click(".view-menu .menu-button")
        try await browser.click(".saved-view button")
        #expect(try await browser.texts(".saved-view a").isEmpty)
        try await visit.expectQuiet()
    }

    @Test func `a link shares one view with a browser that has no session, until it is revoked`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/campaigns/autumn?period=90d&platform=ios")
        let own = try await tiles(browser, "numbers")
        try await browser.type("s", into: "body")
        try await browser.type("for the board", into: "#share-name")
        try await browser.click("dialog button[type=submit]")
        try await browser.wait(for: "the link", until: "document.querySelector('#share-link')")
        let link: String = try await browser.evaluate("document.getElementById('share-link').value")
        #expect(link.hasPrefix("\(visit.url)/shared#ap_view_"), "\(link)")
        try await browser.wait(for: "the list", until: "document.querySelector('.share-list li')")
        try await visit.expectQuiet()

        let guest = try await BrowserVisit(shop.collector.url)
        try await browser.open(link)
        try await guest.settle("the shared view")
        #expect(try await tiles(browser, "numbers") == own)
        try await browser.wait(for: "its name", until: "document.querySelector('h1').innerText === 'Autumn sale'")
        let panels: [String] = try await browser.evaluate(
            "[...document.querySelectorAll('main .panel h2')].map((one) => one.textContent)")
        #expect(
            !panels.contains("Replies") && panels.contains("Funnel") && panels.contains("What it added"), "\(panels)")
        #expect(panels.count >= 8, "all other panels are shown: \(panels)")
        #expect(try await browser.text("#shared-note").hasPrefix("shop · shared view until"))
        // Nothing leads elsewhere.
        let links: Int = try await browser.evaluate(
            "[...document.querySelectorAll('a[href]')].filter((one) => one.checkVisibility() && !one.matches('.skip, .brand')).length"
        )
        #expect(links == 0)
        #expect(try await browser.evaluate("document.cookie === ''"))
        try await choose("Download CSV", in: "funnel", browser)
        #expect(
            String(decoding: try await downloaded("funnel.csv", browser), as: UTF8.self).hasPrefix("step,deliveries"))
        for request in try await browser.requests() {
            #expect(!request.contains("ap_view_") || request == link, "\(request)")
        }
        // The page asks for nothing that the link doesn't share.
        try await guest.expectQuiet()

        let list = try await client.get("/v1/shares", key: shop.app.readKey).json()["shares"] as? [[String: Any]]
        let share = try #require(list?.first { $0["name"] as? String == "for the board" })
        let id = try #require(share["id"] as? Int)
        #expect(try await client.delete("/v1/shares/\(id)", key: shop.manageKey).status == 204)
        try await shop.app.waitUntil("it has ended") {
            try await browser.open("about:blank")
            try await browser.open(link)
            try await browser.wait(
                for: "the end", timeout: .seconds(5),
                until: "document.querySelector('main:not([hidden]) h1')?.innerText === 'This link has ended'")
            return true
        }
        // The same is true of a link without its token.
        try await browser.open("about:blank")
        try await browser.open(visit.url + "/shared")
        try await browser.wait(for: "the end", until: "document.querySelector('main h1')?.checkVisibility()")
        #expect(try await browser.text("main").contains("Ask whoever sent it for a new one."))
        #expect(try await browser.evaluate("document.getElementById('loading').checkVisibility()") == false)
        try await guest.expectQuiet(allowing: [401])
    }

    @Test func `each kind of page can be shared, and opening its link leaves the reader's own session alone`()
        async throws
    {
        let visit = try await visit()
        let browser = visit.browser
        for (view, expected) in [
            ("/?period=90d&tz=UTC", ["Activity", "Campaigns by conversion", "Categories", "Platforms"]),
            ("/categories/sale?period=90d&tz=UTC", ["Dismissals", "Current declaration", "Actions across versions"]),
            ("/reports/conversion?by=campaign&period=90d&tz=UTC", ["Rows"]),
            ("/?period=yesterday&tz=UTC", ["Activity"]), ("/?period=all&tz=UTC&platform=ios", ["Activity"]),
        ] {
            let body = try JSONSerialization.data(withJSONObject: ["view": view])
            let made = try await client.post("/v1/shares", body, key: shop.app.readKey).json()
            let path = try #require(made["path"] as? String)
            try await browser.open("about:blank")
            try await browser.open(visit.url + path)
            try await visit.settle(view)
            let panels: [String] = try await browser.evaluate(
                "[...document.querySelectorAll('main .panel h2')].map((one) => one.textContent)")
            #expect(Set(expected).isSubset(of: panels), "\(view): \(panels)")
            #expect(try await browser.evaluate("document.querySelector('.failure') === null"), "\(view)")
        }
        try await visit.open("/reports")
        #expect(try await browser.text("#app-name") == "shop")
        try await visit.expectQuiet()
    }
}
