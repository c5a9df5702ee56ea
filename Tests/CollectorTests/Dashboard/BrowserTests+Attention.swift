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
}
