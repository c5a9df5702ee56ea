import Foundation
import TestSupport
import Testing

extension BrowserTests {
    /// The layout shifts of a page that no input caused, since its beginning.
    private static let shifts = """
        new Promise((resolve) => {
            const found = [];
            new PerformanceObserver((list) => {
                for (const entry of list.getEntries()) if (!entry.hadRecentInput) {
                    const parts = entry.sources.map(({ node, previousRect, currentRect }) =>
                        `${node?.id || node?.className || node?.nodeName} ${previousRect.y} to ${currentRect.y}`);
                    found.push({ value: entry.value, parts: parts.join(', ') });
                }
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(found), 200);
        })
        """

    private struct Shift: Decodable, Sendable {
        let value: Double
        let parts: String
    }

    private static let measured = [
        "/?period=90d", "/?period=90d&metric=conversion_rate", "/campaigns/autumn?period=90d",
        "/categories/sale?period=90d", "/live", "/reports", "/reports/conversion?by=campaign&period=90d",
        "/reports/heatmap?period=90d", "/alerts", "/health?period=90d", "/nothing/here",
    ]

    @Test(arguments: [(1_440, 900), (390, 844)])
    func `nothing on a page moves while it loads, and its first content is there at once`(width: Int, height: Int)
        async throws
    {
        let visit = try await visit()
        let browser = visit.browser
        try await browser.setSize((width, height))
        for path in Self.measured {
            var paint = Double.infinity
            // Other programs on the machine delay some of the visits. The second time, the files are in the cache.
            for visits in 1...8 where visits <= 2 || paint >= 200 {
                try await visit.open(path)
                let shifts: [Shift] = try await browser.evaluate(Self.shifts)
                let sum = shifts.reduce(0) { $0 + $1.value }
                #expect(sum < 0.1, "\(path) at \(width) moves by \(sum): \(shifts.map(\.parts))")
                let first: Double? = try await browser.evaluate(
                    "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
                paint = min(paint, try #require(first, "\(path) was not painted"))
                try Self.note("\(path) at \(width), visit \(visits): shift \(sum), first content \(first ?? -1) ms")
            }
            #expect(paint < 200, "the first content of \(path) takes \(paint) ms")
        }
        try await visit.expectQuiet(allowing: [404])
    }

    /// Adds a line to the file of measurements, if there is one.
    private static func note(_ line: String) throws {
        guard let file = ProcessInfo.processInfo.environment["AFTERPUSH_PAGE_TIMES"] else { return }
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        try (text + line + "\n").write(toFile: file, atomically: true, encoding: .utf8)
    }

    @Test func `a page that was seen before asks for no file again, and gets its numbers compressed`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        for _ in 0..<2 { try await visit.open("/?period=90d") }
        let files: [String] = try await browser.evaluate(
            """
            performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/assets/'))
                .filter((entry) => entry.transferSize > 0).map((entry) => entry.name)
            """)
        #expect(files.isEmpty, "\(files)")
        let modules: Int = try await browser.evaluate(
            "performance.getEntriesByType('resource').filter(({ name }) => /assets.[0-9a-f]{16}.*js$/.test(name)).length"
        )
        #expect(modules > 30, "the files were loaded from the cache")
        struct Size: Decodable, Sendable {
            let encoded: Int
            let decoded: Int
        }
        let size: Size = try await browser.evaluate(
            """
            fetch('/v1/reports/conversion?by=day&min_n=17').then((answer) => answer.text()).then(() => {
                const entry = performance.getEntriesByType('resource').findLast(({ name }) => name.includes('min_n=17'));
                return { encoded: entry.encodedBodySize, decoded: entry.decodedBodySize };
            })
            """)
        #expect(size.decoded > 10_000 && size.encoded * 3 < size.decoded, "\(size)")
        try await visit.expectQuiet()
    }
}
