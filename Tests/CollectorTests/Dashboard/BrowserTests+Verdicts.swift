import TestSupport
import Testing

extension BrowserTests {
    /// Puts `globalThis.facts` into the rows of `experiment` other than the control's.
    private static let changedVerdict = """
        (() => {
            const real = globalThis.fetch;
            globalThis.fetch = async (path, options) => {
                const answer = await real(path, options);
                if (!String(path).startsWith('/v1/reports/experiment')) return answer;
                const document = await answer.json();
                for (const row of document.rows.filter((row) => !row.control)) Object.assign(row, globalThis.facts);
                return new Response(JSON.stringify(document));
            };
            return true;
        })()
        """

    @Test(arguments: [
        ("worse", "converts worse than", "You can stop here and drop"),
        ("equivalent", "convert equally well", "You can stop here and use either"),
        ("waiting", "Too early to compare", "Wait until most windows have ended"),
        ("undecided", "No winner yet between", "Wait for more deliveries, or stop without a winner"),
        ("sample_ratio_mismatch", "Sample ratio mismatch", "Find the cause before you compare rates"),
    ])
    func `a campaign's page says in words what a verdict means`(verdict: String, title: String, advice: String)
        async throws
    {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/reports")
        let facts =
            "{ verdict: '\(verdict)', difference: -0.02, difference_low_anytime: -0.04, "
            + "difference_high_anytime: 0.004, sample_ratio_p_anytime: 0.001 }"
        #expect(try await browser.evaluate("globalThis.facts = \(facts), \(Self.changedVerdict)"))
        let link = "Object.assign(document.createElement('a'), { id: 'to-campaign', href: '/campaigns/autumn' })"
        let isAdded: Bool = try await browser.evaluate("document.querySelector('main').prepend(\(link)), true")
        #expect(isAdded)
        let isClicked: Bool = try await browser.evaluate("document.querySelector('#to-campaign').click(), true")
        #expect(isClicked)
        try await browser.wait(for: "its name", until: "document.querySelector('h1').innerText === 'Autumn sale'")
        try await visit.settle("the campaign")
        let titles = try await browser.texts("[aria-labelledby=variants] .verdict-title")
        let sentences = try await browser.texts("[aria-labelledby=variants] .verdict p:last-child")
        #expect(titles.count == 1 && titles.allSatisfy { $0.contains(title) }, "\(titles)")
        #expect(sentences.count == 1 && sentences.allSatisfy { $0.contains(advice) }, "\(sentences)")
        try await visit.expectQuiet()
    }

    @Test func `verdicts are about the whole campaign, whatever the period of its page`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        try await visit.open("/campaigns/autumn?period=24h")
        let requests = try await visit.browser.requests()
        for report in ["experiment", "lift"] {
            let own = requests.filter { $0.contains("/v1/reports/\(report)?") && !$0.contains("currency=") }
            #expect(own.count == 1, "\(own)")
            #expect(own.allSatisfy { !$0.contains("from=") && !$0.contains("to=") }, "\(own)")
        }
        #expect(requests.contains { $0.contains("/v1/reports/funnel?") && $0.contains("from=") })
        for panel in ["variants", "lift"] {
            let head = try await visit.browser.text(".panel[aria-labelledby=\(panel)] .panel-head")
            #expect(head.contains("since the campaign began"), "\(head)")
        }
        #expect(try await visit.browser.texts(".verdict-title").first?.contains("converts better") == true)
        try await visit.expectQuiet()
    }

    @Test func `a missing rate says why, from the report's column reason`() async throws {
        let shop = try await Self.shop.value
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session())
        let browser = visit.browser
        try await visit.open("/reports")
        let changed = """
            (() => {
                const real = globalThis.fetch;
                globalThis.fetch = async (path, options) => {
                    const answer = await real(path, options);
                    if (!/^\\/v1\\/reports\\/(overview|conversion)/.test(String(path))) return answer;
                    const document = await answer.json();
                    for (const row of document.rows) {
                        if (row.metric === 'response_rate') Object.assign(row, { value: null, n: 60, reason: 'uncovered' });
                        if ('open_rate' in row) Object.assign(row, { open_rate: null, reason: 'uncovered' });
                    }
                    return new Response(JSON.stringify(document));
                };
                return true;
            })()
            """
        let isChanged: Bool = try await browser.evaluate(changed)
        let link = "Object.assign(document.createElement('a'), { id: 'to-overview', href: '/?period=all' })"
        let isAdded: Bool = try await browser.evaluate("document.querySelector('main').prepend(\(link)), true")
        let isClicked: Bool = try await browser.evaluate("document.querySelector('#to-overview').click(), true")
        #expect(isChanged && isAdded && isClicked)
        try await browser.wait(for: "the overview", until: "document.querySelector('h1').innerText === 'Overview'")
        try await visit.settle("the overview")
        let tiles = try await browser.texts("[aria-labelledby=numbers] .tile")
        let responded = tiles.first { $0.hasPrefix("Responded") }
        #expect(responded?.contains("more than were sent") == true, "\(tiles)")
        let cell = "[aria-labelledby=by-campaign] td .muted[title='more than were sent']"
        let count: Int = try await browser.evaluate("document.querySelectorAll(\"\(cell)\").length")
        #expect(count > 0)
        try await visit.expectQuiet()
    }
}
