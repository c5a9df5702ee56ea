import Foundation
import TestSupport
import Testing

/// A chart as Chart.js has it.
private struct DrawnChart: Decodable, Sendable {
    struct Line: Decodable, Sendable {
        let label: String
        let data: [Double?]
        let tension: Double?
        /// Whether the line to each point is dashed.
        let dashes: [Bool]
    }

    let labels: [String]
    let lines: [Line]
    let least: Double
}

extension BrowserTests {
    /// The chart of a panel, once it is drawn.
    private func chart(_ browser: Browser, _ panel: String) async throws -> DrawnChart {
        let canvas = "document.querySelector('[aria-labelledby=\(panel)] canvas')"
        try await browser.wait(for: "the chart \(panel)", until: "globalThis.Chart?.getChart(\(canvas))")
        return try await browser.evaluate(
            """
            (({ data, scales }) => ({
                labels: data.labels ?? [], least: scales.y.min,
                lines: data.datasets.map((line) => ({
                    label: line.label, tension: line.tension ?? null,
                    data: line.data.map((value) => typeof value === 'object' && value ? value.y : value),
                    dashes: line.data.map((_, at) => Boolean(line.segment?.borderDash({ p1DataIndex: at }))),
                })),
            }))(globalThis.Chart.getChart(\(canvas)))
            """)
    }

    /// Whether two lists have the same rates, of which two parsers of numbers can read the last digit differently.
    private static func same(_ shown: [Double]?, _ expected: [Double]) -> Bool {
        shown?.count == expected.count && zip(shown ?? [], expected).allSatisfy { abs($0 - $1) < 1e-12 }
    }

    private func title(_ browser: Browser, _ panel: String) async throws -> String {
        try await browser.text("[aria-labelledby=\(panel)] h2")
    }

    @Test func `the chart covers the whole period, with 0 where nothing happened, and dashes the day under way`()
        async throws
    {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=30d")
        let month = try await chart(browser, "activity")
        #expect(month.labels.count == 30 && month.least == 0, "\(month.labels)")
        let sent = try #require(month.lines.first { $0.label == "Sent" })
        #expect(sent.data.compactMap(\.self).count == 30 && sent.data.first == 0 && sent.data.last == 0, "\(sent.data)")
        #expect(sent.data.compactMap(\.self).reduce(0, +) == 1_660)
        for line in month.lines {
            #expect(line.tension == 0, "straight lines")
            #expect(line.dashes == Array(repeating: false, count: 29) + [true])
        }
        try await visit.open("/?period=24h")
        #expect(try await browser.text("[aria-labelledby=numbers]").contains("Show all time"))
        // A period that has ended has no day under way.
        let day = Date.now.addingTimeInterval(-10 * 86_400).formatted(.iso8601.year().month().day())
        try await visit.open("/?from=2026-01-01&to=\(day)")
        let year = try await chart(browser, "activity")
        #expect(year.labels.count > 250 && year.lines.allSatisfy { !$0.dashes.contains(true) })
        try await visit.open("/?period=all")
        let all = try await chart(browser, "activity")
        #expect(all.labels.count == 21, "from the first event until today: \(all.labels)")
        try await visit.expectQuiet()
    }

    @Test func `a tile has a line of its metric, and chooses the metric of the chart, with the period before`()
        async throws
    {
        let visit = try await visit()
        let browser = visit.browser
        let from = Date.now.addingTimeInterval(-12 * 86_400).formatted(.iso8601.year().month().day())
        let to = Date.now.addingTimeInterval(-6 * 86_400).formatted(.iso8601.year().month().day())
        let period = "from=\(from)&to=\(to)"
        try await visit.open("/?\(period)")
        try await browser.wait(
            for: "the lines", until: "document.querySelectorAll('.tile .spark .now').length >= 6")
        #expect(try await browser.evaluate("document.querySelectorAll('.tile .spark .before').length") == 6)
        #expect(try await title(browser, "activity") == "Activity")
        let pressed = "[...document.querySelectorAll('.tile [aria-pressed=true]')].map((e) => e.innerText)"
        #expect(try await browser.evaluate(pressed) == [String]())
        _ = try await browser.requests()
        try await browser.click(".tile:nth-child(5) .metric")
        #expect(try await title(browser, "activity") == "Converted over time")
        #expect(try await browser.evaluate(pressed) == ["Converted"])
        let path = "/?\(period)&metric=conversion_rate"
        #expect(try await visit.path == path)
        #expect(try await browser.requests().filter { $0.contains("/v1/") }.isEmpty, "nothing is loaded again")
        let days = try await rows(
            "/v1/reports/conversion?by=day&columns=day,conversion_rate&\(period)"
        ).map { $0["conversion_rate"] as? Double }
        let start = Date.now.addingTimeInterval(-18 * 86_400).formatted(.iso8601.year().month().day())
        let before = try await rows(
            "/v1/reports/conversion?by=day&columns=day,conversion_rate&from=\(start)&to=\(from)"
        )
        .map { $0["conversion_rate"] as? Double }
        #expect(days.count == 6 && days.allSatisfy { $0 != nil } && before.count == 6)
        for path in [path, nil] {
            let converted = try await chart(browser, "activity")
            let shown = converted.lines.first { $0.label == "Converted" }?.data
            let shownBefore = converted.lines.first { $0.label == "Period before" }?.data
            #expect(Self.same(shown?.compactMap(\.self), days.compactMap(\.self)))
            #expect(Self.same(shownBefore?.compactMap(\.self), before.compactMap(\.self)))
            #expect(converted.least == 0)
            // The address shows the same chart.
            if let path { try await visit.open(path) }
        }
        try await browser.click(".tile:nth-child(1) .metric")
        let sent = try await chart(browser, "activity")
        #expect(try await title(browser, "activity") == "Sent over time")
        let sum = sent.lines.first?.data.compactMap(\.self).reduce(0, +)
        #expect(sum == 576.0, "96 a day")
        try await browser.click("[aria-labelledby=activity] button.inline")
        #expect(try await title(browser, "activity") == "Activity")
        #expect(try await browser.evaluate(pressed) == [String]())
        try await visit.expectQuiet()
    }

    @Test func `all bars of a column are on one axis from 0, which the head shows`() async throws {
        struct Column: Decodable, Sendable {
            let axis: [String]
            let bars: [[Double]]
        }
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/?period=90d")
        let columns: [Column] = try await browser.evaluate(
            """
            [...document.querySelectorAll('[aria-labelledby=by-platform], [aria-labelledby=by-campaign]')].flatMap((panel) =>
                [...panel.querySelectorAll('thead th')].map((head, index) => ({
                    axis: [...head.querySelectorAll('.scale span')].map((end) => end.textContent),
                    bars: [...panel.querySelectorAll('tbody tr')].map((row) => row.children[index])
                        .filter((cell) => cell.querySelector('.bar')).map((cell) => [
                            parseFloat(cell.querySelector('.bar').style.width),
                            parseFloat(cell.querySelector('.rate-value').textContent),
                        ]),
                })).filter(({ bars }) => bars.length > 1))
            """)
        #expect(columns.count == 5, "\(columns)")
        for column in columns {
            #expect(column.axis.first == "0" && column.axis.count == 2)
            let end = try #require(column.axis.last.flatMap { Double($0.dropLast()) })
            #expect([1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100].contains(end))
            for bar in column.bars { #expect(abs(bar[0] - bar[1] * 100 / end) <= 5 / end + 0.1, "\(column)") }
        }
        try await visit.expectQuiet()
    }

    @Test func `a campaign's page shows its days, and its funnel has what was displayed aside`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/campaigns/autumn?period=30d")
        let events = try await chart(browser, "activity")
        #expect(events.labels.count == 30)
        #expect(events.lines.first { $0.label == "Sent" }?.data.compactMap(\.self).reduce(0, +) == 800)
        #expect(try await title(browser, "over-time") == "Converted over time")
        let rates = try await chart(browser, "over-time")
        let report = try await rows("/v1/reports/conversion?by=day&campaign=autumn")
        let days = report.compactMap { $0["conversion_rate"] as? Double }
        #expect(!days.isEmpty && Self.same(rates.lines.first?.data.compactMap(\.self), days))
        _ =
            try await browser.evaluate(
                """
                [document.querySelector('[aria-labelledby=over-time] select')].forEach((select) => {
                    select.value = 'open_rate';
                    select.dispatchEvent(new Event('change', { bubbles: true }));
                })
                """) as Bool?
        try await browser.wait(
            for: "the metric", until: "document.querySelector('#over-time').innerText === 'Opened over time'")
        let opened = try await chart(browser, "over-time")
        let openRates = report.compactMap { $0["open_rate"] as? Double }
        #expect(Self.same(opened.lines.first?.data.compactMap(\.self), openRates))

        #expect(try await browser.texts(".funnel .branch .step-name") == ["Displayed"])
        let shares = try await browser.texts(".funnel li:not(.branch) .step-shares")
        #expect(shares.count == 5 && shares[2].contains("of delivered"), "\(shares)")
        let heads = try await browser.texts("[aria-labelledby=actions] thead th button")
        #expect(heads.prefix(4) == ["Action", "a (control)", "b", "Difference (b less a)"], "\(heads)")
        // Newcombe's interval of the difference, from the intervals of the rates.
        let actions = try await rows("/v1/reports/actions?campaign=autumn").filter {
            $0["action_id"] as? String == "book"
        }
        func number(_ variant: String, _ column: String) throws -> Double {
            try #require(actions.first { $0["variant"] as? String == variant }?[column] as? Double)
        }
        let (a, b) = (try number("a", "conversion"), try number("b", "conversion"))
        let high = hypot(try number("b", "conversion_high") - b, a - (try number("a", "conversion_low")))
        let book = try #require(try await cells(browser, "actions").first { $0[0].hasPrefix("Book now") })
        #expect(book[3].hasPrefix(String(format: "%+.1f", (b - a) * 100)), "\(book)")
        #expect(book[3].hasSuffix(String(format: "to %+.1f", (b - a + high) * 100)), "\(book)")
        try await visit.expectQuiet()
    }

    @Test func `on a phone, the difference of an action's variants is in view`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        let differences = """
            [...document.querySelectorAll('[aria-labelledby=actions] .narrow')].filter((one) => one.checkVisibility()
                && one.getBoundingClientRect().right <= innerWidth).map((one) => one.innerText)
            """
        try await visit.open("/campaigns/autumn?period=90d")
        #expect(try await browser.evaluate(differences) == [String]())
        let column = try await cells(browser, "actions").map { $0[3] }
        try await browser.setSize((390, 844))
        try await browser.wait(for: "its width", until: "innerWidth <= 390")
        let shown: [String] = try await browser.evaluate(differences)
        #expect(!column.isEmpty && shown.count == column.count, "\(shown)")
        for (below, beside) in zip(shown, column) {
            #expect(below.replacing(" points", with: "").split(separator: /\s+/) == beside.split(separator: /\s+/))
        }
        try await visit.expectQuiet()
    }

    @Test func `a comparison has the numbers of both periods`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        let days = [18, 12, 6].map {
            Date.now.addingTimeInterval(-$0 * 86_400).formatted(.iso8601.year().month().day())
        }
        try await visit.open("/?from=\(days[1])&to=\(days[2])&compare=previous&tz=UTC")
        let shown = try await cells(browser, "comparison")
        #expect(shown.map { $0[0] } == ["Sent", "Delivered", "Opened", "Acted", "Converted"], "\(shown)")
        for (column, from, to) in [(1, days[1], days[2]), (2, days[0], days[1])] {
            let row = try #require(try await rows("/v1/reports/conversion?from=\(from)&to=\(to)&tz=UTC").first)
            #expect(shown[0][column] == DisplayedNumber.count(row["sent"]))
            for (line, rate) in ["delivery_rate", "open_rate", "action_rate", "conversion_rate"].enumerated() {
                let value = DisplayedNumber.percent(row[rate])
                #expect(shown[line + 1][column].hasPrefix(value), "\(shown[line + 1]): \(value)")
            }
        }
        try await visit.expectQuiet()
    }

    @Test func `report pages draw what they have, with rates first and the groups in view`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        let drawing = "document.querySelector('[aria-labelledby=drawing]')"
        try await visit.open("/reports/heatmap?period=90d")
        #expect(try await browser.evaluate("\(drawing).querySelectorAll('.heatmap td').length") == 7 * 24)
        let weekdays = Set(try await cells(browser, "rows").map { $0[0] })
        #expect(weekdays.contains("Monday") && !weekdays.contains("1"), "\(weekdays)")
        try await visit.open("/reports/funnel?period=90d")
        #expect(try await browser.texts("[aria-labelledby=drawing] .step-name").count == 6)
        try await visit.open("/reports/response-time?curve=true&period=90d")
        #expect(try await chart(browser, "drawing").lines.first?.data.first == 1)
        #expect(try await cells(browser, "rows").first?[0].contains(/^[0-9.]+ (sec|min)$/) == true)
        try await visit.open("/reports/timeseries?period=30d")
        #expect(try await chart(browser, "drawing").labels.count == 30)
        let days = try await cells(browser, "rows").map { $0[0] }
        #expect(!days.isEmpty && days.allSatisfy { !$0.contains(":") }, "days without hours: \(days)")
        try await visit.open("/reports/conversion?by=day&period=30d")
        #expect(try await chart(browser, "drawing").labels.count == 30)
        try await visit.open("/reports/experiment?campaign=autumn&period=90d")
        #expect(try await browser.texts("[aria-labelledby=drawing] .verdict-title").count == 1)
        let heads = try await browser.texts("[aria-labelledby=rows] thead th")
        let row = try #require(try await cells(browser, "rows").last)
        let p = try #require(heads.firstIndex(of: "p"))
        #expect(row[p].contains(/^(under )?0\.[0-9]+$|^1$/), "\(row)")
        let difference = try #require(heads.firstIndex(of: "Difference (points)"))
        #expect(row[difference].contains(/^[+-][0-9.]+ [+-][0-9.]+ to [+-][0-9.]+$/), "\(row)")
        try await visit.open("/reports/overview?period=90d")
        let overview = try await cells(browser, "rows")
        #expect(overview.first?[1] == "1,660" && overview.first { $0[0] == "open_rate" }?[1].hasSuffix("%") == true)
        try await visit.open("/reports/undeclared?from=2020-01-01&to=2020-01-02")
        #expect(try await browser.text("[aria-labelledby=rows]").contains("Good news"))
        #expect(try await browser.evaluate("\(drawing) === null"))

        try await browser.setSize((900, 800))
        try await visit.open("/reports/conversion?by=campaign,variant&period=90d")
        let columns = try await browser.texts("[aria-labelledby=rows] thead th")
        #expect(columns.prefix(3) == ["Campaign", "Variant", "Delivery rate"], "\(columns)")
        let lefts = """
            [...document.querySelectorAll('[aria-labelledby=rows] tbody tr:first-child > *')].slice(0, 3)
                .map((cell) => Math.round(cell.getBoundingClientRect().left))
            """
        let start: [Int] = try await browser.evaluate(lefts)
        _ =
            try await browser.evaluate("document.querySelector('[aria-labelledby=rows] .scroller').scrollLeft = 400")
            as Int?
        let scrolled: [Int] = try await browser.evaluate(lefts)
        #expect(scrolled[0] == start[0] && abs(scrolled[1] - start[1]) <= 1 && scrolled[2] == start[2] - 400)
        try await visit.expectQuiet()
    }
}
