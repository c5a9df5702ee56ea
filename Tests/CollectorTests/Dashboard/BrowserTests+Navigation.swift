import Foundation
import TestSupport
import Testing

extension BrowserTests {
    @Test func `filters are in the address and have the same result as in the report`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d&platform=ios")
        #expect(try await browser.evaluate("document.getElementById('filter-platform').value") == "ios")
        #expect(try await browser.evaluate("document.getElementById('filter-period').value") == "90d")
        let ios = try await tiles(browser, "numbers")["Sent"]
        let all = try await rows("/v1/reports/conversion?by=platform")
        #expect(ios == DisplayedNumber.count(all.first { $0["platform"] as? String == "ios" }?["sent"]))
        try await browser.wait(
            for: "the campaigns", until: "[...document.getElementById('filter-campaign').options].length > 2")
        _ =
            try await browser.evaluate(
                """
                [document.getElementById('filter-campaign')].forEach((select) => {
                    select.value = 'autumn';
                    select.dispatchEvent(new Event('change', { bubbles: true }));
                })
                """) as Bool?
        try await browser.wait(
            for: "the filter", until: "new URLSearchParams(location.search).get('campaign') === 'autumn'")
        try await visit.settle("the campaign")
        let address = try await visit.path
        #expect(address.contains("platform=ios") && address.contains("period=90d"))
        let both = try await rows("/v1/reports/conversion?campaign=autumn&platform=ios")
        #expect(try await tiles(browser, "numbers")["Sent"] == DisplayedNumber.count(both.first?["sent"]))
        // The shared address shows the same page, and the back button works.
        try await visit.open(address)
        #expect(try await tiles(browser, "numbers")["Sent"] == DisplayedNumber.count(both.first?["sent"]))
        try await visit.open("/?platform=watchos")
        #expect(try await browser.text("main").contains("Show all time"))
        try await visit.expectQuiet()
    }

    @Test func `a click on a column sorts the table, and the next click reverses the order`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/reports/conversion?by=day&period=90d")
        let heads = try await browser.texts("[aria-labelledby=rows] thead th")
        let column = try #require(heads.firstIndex { $0.hasPrefix("Opened") }, "\(heads)")
        func opened() async throws -> [Int] {
            try await cells(browser, "rows").map { Int($0[column].filter(\.isNumber)) ?? -1 }
        }
        let before = try await opened()
        let head = "[aria-labelledby=rows] thead th:nth-child(\(column + 1))"
        try await browser.click(head + " button")
        #expect(try await opened() == before.sorted(by: >))
        #expect(try await browser.evaluate("document.querySelector('\(head)').ariaSort") == "descending")
        try await browser.click(head + " button")
        #expect(try await opened() == before.sorted())
        #expect(
            try await browser.evaluate("document.querySelectorAll('[aria-labelledby=rows] [aria-sort]').length") == 1)
        try await visit.expectQuiet()
    }

    @Test func `the report's CSV can be downloaded, and its SQL is shown`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/reports/conversion?by=campaign&period=90d")
        let link: String = try await browser.evaluate("document.querySelector('a[download$=csv]').href")
        try await browser.click("a[download$=csv]")
        let file = URL(filePath: browser.downloads + "/conversion.csv")
        try await shop.app.waitUntil("the file is there") { FileManager.default.fileExists(atPath: file.path) }
        let text = try String(contentsOf: file, encoding: .utf8)
        try FileManager.default.removeItem(at: file)
        let csv = try await client.get(String(link.dropFirst(shop.collector.url.count)), key: shop.app.readKey)
        #expect(text == csv.text && text.hasPrefix("campaign_id,sent,"))
        #expect(CSV.parse(text).count == 4)
        try await browser.click("details.sql summary")
        try await browser.wait(
            for: "the SQL", until: "document.querySelector('.sql code').innerText.includes('select')")
        let sql: String = try await browser.evaluate("document.querySelector('.sql code').textContent")
        #expect(sql == (try await client.get("/v1/reports/conversion/sql", key: shop.app.readKey)).text)
        try await visit.expectQuiet()
    }

    @Test func `links and the back button keep the filters`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d")
        try await browser.click("[aria-labelledby=by-campaign] a[href^='/campaigns/winter']")
        try await browser.wait(for: "the campaign", until: "document.querySelector('h1').innerText === 'winter'")
        try await visit.settle("the campaign")
        #expect(try await visit.path == "/campaigns/winter?period=90d")
        _ = try await browser.evaluate("history.back()") as Bool?
        try await browser.wait(for: "the overview", until: "document.querySelector('h1').innerText === 'Overview'")
        try await visit.settle("the overview")
        #expect(try await visit.path == "/?period=90d")
        try await visit.open("/reports/nothing-here")
        #expect(try await browser.text("main").contains("There is no report with this name"))
        try await visit.expectQuiet()
    }
}
