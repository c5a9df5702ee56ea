import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests the dashboard in a real browser against a collector with known data.
@Suite(
    .serialized,
    .enabled(
        if: Browser.isInstalled,
        "SKIPPED: the dashboard is not tested, because Debian's chromium or chromium-driver is not installed"))
struct BrowserTests {
    static let shop = Task { try await DashboardFixture() }

    let shop: DashboardFixture
    let client: TestClient

    init() async throws {
        shop = try await Self.shop.value
        client = TestClient(url: shop.collector.url)
    }

    func visit() async throws -> BrowserVisit {
        try await BrowserVisit(shop.collector.url, session: shop.session())
    }

    func rows(_ path: String) async throws -> [[String: Any]] {
        let response = try await client.get(path, key: shop.app.readKey)
        return try #require(try response.json()["rows"] as? [[String: Any]], "\(path): \(response.text)")
    }

    /// The rows of the report that the page requested, with the same parameters.
    private func rows(of name: String, with words: String..., in requests: [String]) async throws -> [[String: Any]] {
        let request = requests.first { request in
            request.contains("/v1/reports/\(name)?") && words.allSatisfy(request.contains)
        }
        let address = try #require(request, "the page did not ask for \(name) \(words): \(requests)")
        return try await rows(String(address.dropFirst(shop.collector.url.count)))
    }

    /// The numbers of the tiles below a heading, by name.
    func tiles(_ browser: Browser, _ panel: String) async throws -> [String: String] {
        try await browser.evaluate(
            """
            Object.fromEntries([...document.querySelectorAll('[aria-labelledby=\(panel)] .tile')].map((tile) =>
                [tile.querySelector('dt').firstChild.textContent.trim(), tile.querySelector('.big').innerText.trim()]))
            """)
    }

    /// The cells of the table in a panel or on the whole page, row by row.
    func cells(_ browser: Browser, _ panel: String) async throws -> [[String]] {
        try await browser.evaluate(
            """
            [...document.querySelectorAll('[aria-labelledby=\(panel)] tbody tr')].map((line) =>
                [...line.children].map((cell) => cell.innerText.trim().replace(/\\s+/g, ' ')))
            """)
    }

    private func campaign(_ id: String) -> String {
        "/campaigns/" + TestClient.part(id)
    }

    @Test func `the overview shows the numbers of its reports`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/")
        let requests = try await browser.requests()
        let overview = try await rows(of: "overview", in: requests)
        let values = Dictionary(uniqueKeysWithValues: overview.map { ($0["metric"] as? String ?? "", $0["value"]) })
        #expect((values["sent"] as? NSNumber)?.intValue == 1_660, "the report counts the posted events")
        let tiles = try await tiles(browser, "numbers")
        #expect(tiles["Sent"] == "1,660" && tiles["Delivered"] == DisplayedNumber.count(values["delivered"] ?? nil))
        for (label, metric) in [
            ("Responded", "response_rate"), ("Acted", "action_rate"), ("Converted", "conversion_rate"),
            ("Dismissed", "dismiss_rate"),
        ] { #expect(tiles[label] == DisplayedNumber.percent(values[metric] ?? nil), "\(label): \(tiles)") }

        let names = ["autumn": "Autumn sale"]
        for (panel, by, key) in [
            ("by-campaign", "campaign", "campaign_id"), ("by-category", "category", "category_id"),
            ("by-platform", "platform", "platform"),
        ] {
            let shown = try await cells(browser, panel)
            let report = try await rows(of: "conversion", with: "by=\(by)", in: requests)
            #expect(shown.count == report.count, "\(panel): \(shown)")
            for row in report {
                let id = row[key] as? String ?? ""
                let line = shown.first { $0.first?.lowercased() == (names[id] ?? id).lowercased() }
                #expect(line?[1] == DisplayedNumber.count(row["sent"]), "\(id): \(shown)")
                #expect(line?[2].hasPrefix(DisplayedNumber.percent(row["conversion_rate"])) == true, "\(id): \(shown)")
            }
        }
        let events = try await rows(of: "timeseries", in: requests)
        let sent = events.reduce(0) { $0 + (($1["sent"] as? NSNumber)?.intValue ?? 0) }
        #expect(sent == 1_660)
        #expect(try await browser.text("#app-name") == "shop")
        let charts: Int = try await browser.evaluate(
            "[...document.querySelectorAll('canvas')].filter((c) => globalThis.Chart.getChart(c)).length")
        #expect(charts >= 1)
        try await visit.expectQuiet()
    }

    @Test func `a campaign's page shows the numbers of its reports`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open(campaign("autumn"))
        let requests = try await browser.requests()
        try await browser.wait(for: "its name", until: "document.querySelector('h1').innerText === 'Autumn sale'")
        let row = try #require(try await rows(of: "conversion", in: requests.filter { !$0.contains("by=") }).first)
        let tiles = try await tiles(browser, "numbers")
        #expect(tiles["Sent"] == "800" && DisplayedNumber.count(row["sent"]) == "800")
        for (label, rate) in [
            ("Delivered", "delivery_rate"), ("Opened", "open_rate"), ("Acted", "action_rate"),
            ("Converted", "conversion_rate"), ("Dismissed", "dismiss_rate"),
        ] { #expect(tiles[label] == DisplayedNumber.percent(row[rate]), "\(label): \(tiles)") }
        let steps = try await browser.texts(".funnel .step-count")
        #expect(steps == (try await rows(of: "funnel", in: requests)).map { DisplayedNumber.count($0["deliveries"]) })
        let variants = try await cells(browser, "variants")
        for (line, row) in zip(variants, try await rows(of: "experiment", in: requests)) {
            #expect(line[0].hasPrefix(row["variant"] as? String ?? "?"), "\(variants)")
            #expect(
                line.contains(DisplayedNumber.count(row["base_n"]))
                    && line.contains(DisplayedNumber.count(row["converted"])), "\(line)")
            #expect(line.contains { $0.hasPrefix(DisplayedNumber.percent(row["conversion_rate"])) }, "\(line)")
        }
        #expect(variants.count == 2)
        #expect(try await browser.texts(".verdict-title").first?.contains("converts better") == true)
        let advice = try await browser.texts(".verdict p:last-child").first
        #expect(advice?.contains("You can stop here and use") == true, "\(advice ?? "no sentence")")
        let values = try await cells(browser, "value")
        let compared = try await rows(of: "experiment", in: requests.filter { $0.contains("currency=EUR") })
        #expect(values.count == 2 && compared.count == 2, "\(values)")
        for (line, row) in zip(values, compared) {
            #expect(line[0].hasPrefix(row["variant"] as? String ?? "?"), "\(line)")
            #expect(line.contains(DisplayedNumber.count(row["converted_with_value"])), "\(line)")
        }
        let total = try await browser.texts(".value-total").first
        #expect(total?.hasPrefix("€") == true && total?.contains("per delivery") == true, "\(total ?? "no total")")
        let lift = try #require(try await rows(of: "lift", in: requests).first)
        let added = Int(try #require(lift["added"] as? NSNumber).doubleValue.rounded())
        let sentences = try await browser.texts("[aria-labelledby=lift] .verdict-title")
        #expect(sentences.first?.contains("the campaign added about \(added)") == true, "\(sentences)")
        let outcome = try #require(try await cells(browser, "lift").first)
        #expect(outcome.first == "order")
        // What it added in money, in the sentence and in the table.
        let money = ["value_added", "value_added_low", "value_added_high"].map { DisplayedNumber.euros(lift[$0]) }
        #expect(!money.contains(DisplayedNumber.none), "\(lift)")
        let sentence = try await browser.texts("[aria-labelledby=lift] .verdict p:last-child").first
        let inMoney = "In money it is about \(money[0]) (95% interval \(money[1]) to \(money[2])"
        #expect(sentence?.contains(inMoney) == true, "\(sentence ?? "no sentence") \(money)")
        #expect(outcome.contains { $0.hasPrefix(money[0]) && $0.hasSuffix("\(money[1]) to \(money[2])") }, "\(outcome)")
        // One row for each action, with a column for each variant.
        let actions = try await cells(browser, "actions")
        let report = try await rows(of: "actions", in: requests)
        #expect(actions.count == Set(report.map { $0["action_id"] as? String }).count && actions.count > 2)
        for row in report {
            let title = (row["title"] ?? row["action_id"]) as? String ?? "?"
            let line = try #require(actions.first { $0[0].hasPrefix(title) }, "\(title): \(actions)")
            let cell = line[row["variant"] as? String == "a" ? 1 : 2]
            #expect(cell.hasPrefix(DisplayedNumber.percent(row["conversion"])), "\(title): \(line)")
            let counts = "\(DisplayedNumber.count(row["acted"])) of \(DisplayedNumber.count(row["offered_n"]))"
            #expect(cell.contains(counts), "\(title): \(line)")
        }
        let replies = try await cells(browser, "replies").map { $0[0] }
        let answers = try await rows(of: "replies", in: requests).compactMap { $0["answer"] as? String }
        #expect(!answers.isEmpty)
        for answer in answers { #expect(replies.contains { $0.contains(answer) }, "\(replies)") }
        try await visit.expectQuiet()
    }

    @Test func `a category's page and health show the numbers of their reports`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/categories/sale")
        var requests = try await browser.requests()
        let row = try #require(try await rows(of: "conversion", in: requests.filter { !$0.contains("by=") }).first)
        let tiles = try await tiles(browser, "numbers")
        #expect(tiles["Sent"] == "1,600" && tiles["Replied"] == DisplayedNumber.percent(row["reply_rate"]), "\(tiles)")
        let dismissals = try await self.tiles(browser, "dismissals")
        #expect(dismissals["Dismiss rate"] == DisplayedNumber.percent(row["dismiss_rate"]), "\(dismissals)")
        #expect(dismissals["Coverage"] == DisplayedNumber.percent(row["dismiss_coverage"]), "\(dismissals)")
        #expect(
            try await browser.texts("[aria-labelledby=declared] .button-title") == ["Book now", "Not now", "Tell us"])

        try await visit.open("/health")
        requests = try await browser.requests()
        let health = try await rows(of: "health", in: requests)
        let days = health.filter { $0["section"] as? String == "day" }
        let shown = try await cells(browser, "days")
        #expect(shown.count == days.count && !days.isEmpty)
        #expect(shown.map { $0[2] } == days.reversed().map { DisplayedNumber.count($0["n"]) })
        var checks: [[[String]]] = []
        for index in 0..<4 { checks.append(try await cells(browser, "group-\(index)")) }
        #expect(
            checks.allSatisfy { !$0.isEmpty } && !checks.joined().contains { $0[0].contains(/\d\dT\d\d:/) }, "\(checks)"
        )
        #expect(
            checks[1].contains { $0[0].hasPrefix("Stored without: action, app version, campaign") },
            "one row of all that were stored whole: \(checks[1])")
        let versions = try await cells(browser, "app-versions")
        for row in health where row["section"] as? String == "coverage_app_version" {
            let sends = DisplayedNumber.count(row["n"])
            let share = DisplayedNumber.percent(row["value"])
            #expect(
                versions.contains { $0.contains(sends) && $0.contains { $0.hasPrefix(share) } },
                "\(sends), \(share): \(versions)")
        }
        try await visit.expectQuiet()
    }

    @Test func `health shows what became of other systems' events, and what to do about those that were ignored`()
        async throws
    {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/live")
        try await browser.wait(
            for: "where ignored events are",
            until: "document.querySelector('.empty-row a[href=\"/health\"]') || document.querySelector('.kind-name')")
        try await visit.open("/health")
        #expect(try await browser.texts("[aria-labelledby=dialects] .empty").first?.contains("90 days") == true)
        let hostile = "<img src=x onerror=alert(5)>"
        let names = ["Application Opened", "Application Opened", hostile]
        for (index, name) in names.enumerated() {
            let event =
                #"{"type":"track","event":"\#(name)","messageId":"health-\#(index)","userId":"u","#
                + #""timestamp":"\#(Date.now.formatted(.iso8601))"}"#
            let response = try await client.post("/v1/t", Data(event.utf8), key: shop.app.ingestKey)
            #expect(response.status == 200, "\(response.text)")
        }
        try await shop.app.waitUntil("counted") { try await rows("/v1/reports/dialects").count == 2 }
        try await visit.open("/health")
        let shown = try await cells(browser, "dialects")
        #expect(shown.map { $0[1...4].joined(separator: " ") } == ["2 2 0 0", "1 0 1 0"], "\(shown)")
        #expect(shown.first?.first == "Application Opened segment", "\(shown)")
        let ignored = shown.last?.first ?? ""
        #expect(ignored.hasPrefix("\(hostile)unknown name segment") && ignored.contains("PUT /v1/mappings"))
        try await visit.expectQuiet()
    }

    @Test func `every report, including custom ones, is shown as a table with all its rows`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/reports?period=90d")
        let names = try await browser.texts(".report-list h3 code")
        let listed = try await client.get("/v1/reports", key: shop.app.readKey).json()["reports"] as? [[String: Any]]
        #expect(names == listed?.compactMap { $0["name"] as? String })
        #expect(names.contains("late-night") && names.count == 19)
        for name in names {
            // From one report to the next without loading the page again.
            _ =
                try await browser.evaluate(
                    "history.pushState(null, '', '/reports/\(name)?period=90d'), dispatchEvent(new Event('routechange'))"
                )
                as Bool?
            try await browser.wait(for: name, until: "document.querySelector('#rows')")
            try await visit.settle(name)
            // The report by version of the app fills the filter of versions.
            let request = try #require(
                try await browser.requests().last {
                    ($0.contains("/v1/reports/\(name)?") || $0.hasSuffix("/\(name)"))
                        && !$0.contains("by=app_version")
                })
            let response = try await client.get(
                String(request.dropFirst(shop.collector.url.count)), key: shop.app.readKey
            ).json()
            try await expectTable(of: response, name, browser)
        }
        try await visit.expectQuiet()
    }

    /// Expects the table to have the report's rows in order, with all whole numbers and texts.
    private func expectTable(of response: [String: Any], _ name: String, _ browser: Browser) async throws {
        let rows = try #require(response["rows"] as? [[String: Any]])
        let columns = try #require(response["columns"] as? [[String: Any]])
        let shown = try await cells(browser, "rows")
        if rows.isEmpty {
            let isGood = ["undeclared", "rejected", "failures"].contains(name)
            let text = shown.joined().joined()
            #expect(
                isGood ? text.hasPrefix("Good news") : text == "No rows. Choose a longer period, or clear the filters.")
            return
        }
        #expect(shown.count == min(rows.count, 100), "\(name)")
        let bounds = Set(columns.compactMap { $0["name"] as? String }.flatMap { ["\($0)_low", "\($0)_high"] })
        let types = Dictionary(
            uniqueKeysWithValues: columns.map { ($0["name"] as? String ?? "", $0["type"] as? String ?? "") })
        let visible: [String] = try await browser.evaluate(
            "[...document.querySelectorAll('[aria-labelledby=rows] thead th')].map((head) => head.dataset.column)")
        #expect(visible.sorted() == types.keys.filter { !bounds.contains($0) }.sorted(), "\(name)")
        for (line, row) in zip(shown, rows) {
            for (cell, column) in zip(line, visible) {
                let column = (name: column, type: types[column] ?? "")
                let value = row[column.name]
                let isMissing = value == nil || value is NSNull
                switch column.type {
                case "integer" where !["hour", "weekday"].contains(column.name):
                    #expect(cell == DisplayedNumber.count(value), "\(name) \(column.name)")
                case "text" where column.name == "platform" && !isMissing:
                    #expect(cell.lowercased() == value as? String, "\(name) \(column.name)")
                case "text" where !isMissing:
                    let text = (value as? String ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
                    #expect(cell == text, "\(name) \(column.name)")
                default: #expect(!cell.isEmpty, "\(name) \(column.name)")
                }
            }
        }
    }
}
