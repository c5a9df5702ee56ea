import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// Simulates a database of millions of events: the overview reports a large volume, and `health` times out.
    /// `undeclared` ignores the period, because the last day has no undeclared names.
    private static let largeVolume = """
        (() => {
            const real = globalThis.fetch;
            globalThis.fetch = async (path, options) => {
                if (String(path).startsWith('/v1/reports/health')) {
                    return new Response('{"code":"report_slow","detail":"It took more than 30 s."}', { status: 504 });
                }
                if (String(path).startsWith('/v1/reports/undeclared')) {
                    globalThis.requestedURL = new URL(path, location.href).href;
                    return real('/v1/reports/undeclared', options);
                }
                const answer = await real(path, options);
                if (!String(path).startsWith('/v1/reports/overview')) return answer;
                const document = await answer.json();
                document.rows.find((row) => row.metric === 'sent').value = 500001;
                return new Response(JSON.stringify(document));
            };
            return true;
        })()
        """

    @Test func `with a large volume only the last day is checked, and a timeout does not hide the other findings`()
        async throws
    {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        let words = "document.querySelector('[aria-labelledby=attention]').innerText"
        try await visit.open("/?period=30d")
        let normalText: String = try await browser.evaluate(words)
        #expect(!normalText.contains("last 24 hours only") && !normalText.contains("Some checks timed out"))

        try await visit.open("/reports?period=30d")
        #expect(try await browser.evaluate(Self.largeVolume))
        try await browser.click("nav a[href^='/?'], nav a[href='/']")
        try await browser.wait(for: "the overview", until: "document.querySelector('h1').innerText === 'Overview'")
        try await visit.settle("the overview")
        let largeText: String = try await browser.evaluate(words)
        #expect(largeText.contains("last 24 hours only") && largeText.contains("Some checks timed out"), "\(largeText)")
        #expect(normalText.contains("undeclared") && largeText.contains("undeclared"), "\(normalText), \(largeText)")
        let requestedURL: String = try await browser.evaluate("globalThis.requestedURL")
        let items = URLComponents(string: requestedURL)?.queryItems ?? []
        let times = ["from", "to"].map { name in
            items.first { $0.name == name }?.value.flatMap { try? Date($0, strategy: .iso8601) }
        }
        let from = try #require(times[0], "\(requestedURL)")
        let to = try #require(times[1], "\(requestedURL)")
        #expect(to.timeIntervalSince(from) == 86_400)
        try await visit.expectQuiet()
    }

    /// Makes every rate of the overview fall clearly, in a period of which `globalThis.openShare` is still open.
    private static let fallingRates = """
        (() => {
            const real = globalThis.fetch;
            globalThis.fetch = async (path, options) => {
                const answer = await real(path, options);
                if (!String(path).startsWith('/v1/reports/overview')) return answer;
                const document = await answer.json();
                for (const row of document.rows.filter((row) => row.n !== null)) {
                    Object.assign(row, { value: 0.2, previous: 0.3, change: -0.1, change_low: -0.12, change_high: -0.08 });
                    row.open_share = globalThis.openShare;
                    row.within_seconds = globalThis.withinSeconds;
                }
                return new Response(JSON.stringify(document));
            };
            return true;
        })()
        """

    @Test func `a change that is estimated from a sample says so`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        let hint = "estimated from one delivery in 64"
        let cases: [(share: String, low: String, hint: String?, change: String)] = [
            ("1", "null", nil, "at equal age, +50% from 640"),
            ("0.015625", "20", hint, "at equal age, about +50% from 640"),
            ("0.015625", "-60", hint, "at equal age, about 640 before: no clear change"),
        ]
        for (share, low, hint, change) in cases {
            try await visit.open("/reports?period=30d")
            let isSampled: Bool = try await browser.evaluate(
                """
                (() => {
                    const real = globalThis.fetch;
                    globalThis.fetch = async (path, options) => {
                        const answer = await real(path, options);
                        if (!String(path).startsWith('/v1/reports/overview')) return answer;
                        const document = await answer.json();
                        for (const row of document.rows) {
                            row.compared_share = \(share);
                            if (row.metric === 'delivered') Object.assign(row, {
                                compared: 960, previous: 640, change: 320, change_low: \(low), change_high: 700,
                            });
                        }
                        return new Response(JSON.stringify(document));
                    };
                    return true;
                })()
                """)
            #expect(isSampled)
            try await browser.click("nav a[href^='/?'], nav a[href='/']")
            try await browser.wait(for: "the overview", until: "document.querySelector('h1').innerText === 'Overview'")
            try await visit.settle("the overview")
            let about = try await browser.text(".as-of")
            #expect(about.contains("estimated from") == (hint != nil), "\(about)")
            if let hint { #expect(about.contains(hint), "\(about)") }
            let changes = try await browser.texts(".change")
            #expect(changes.contains(change), "\(changes)")
        }
        try await visit.expectQuiet()
    }

    @Test func `a change is called better or worse only while few deliveries can still be answered`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        // Also at equal age: it compares only the oldest deliveries.
        let cases = [
            (0.5, "null", 0, true), (0.001, "null", 1, false), (0.05, "null", 0, true), (0.5, "43200", 0, true),
            (0.21, "43200", 0, true), (0.1, "43200", 1, false),
        ]
        for (openShare, age, worse, open) in cases {
            try await visit.open("/reports?period=30d")
            #expect(
                try await browser.evaluate(
                    "globalThis.openShare = \(openShare), globalThis.withinSeconds = \(age), \(Self.fallingRates)"))
            try await browser.click("nav a[href^='/?'], nav a[href='/']")
            try await browser.wait(for: "the overview", until: "document.querySelector('h1').innerText === 'Overview'")
            try await visit.settle("the overview")
            // The rate of dismissals falls, too, which is better.
            let arrows = try await browser.texts(".change.worse, .change.better")
            #expect(min(arrows.count, 1) == worse, "\(openShare), \(age): \(arrows)")
            #expect(arrows.allSatisfy { $0.contains("from 30.0%") }, "the value before: \(arrows)")
            let changes = try await browser.texts(".change")
            #expect(changes.contains { $0.contains("can still be answered") } == open, "\(changes)")
            let about = try await browser.text(".as-of")
            #expect(
                about.contains("deliveries (\(DisplayedNumber.percent(openShare))) can still be answered"), "\(about)")
        }
        try await visit.expectQuiet()
    }
}
