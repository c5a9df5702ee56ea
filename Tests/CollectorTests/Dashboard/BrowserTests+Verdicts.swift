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
}
