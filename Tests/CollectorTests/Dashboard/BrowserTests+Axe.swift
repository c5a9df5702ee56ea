import Foundation
import TestSupport
import Testing

/// The rules of axe-core, which `scripts/require-clients` installs.
enum AxeCore {
    static let file: URL? = {
        let library = Program.root.appending(path: ".build/clients/lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        return versions.map { library.appending(path: "\($0)/site-packages/axe_playwright_python/axe.min.js") }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }()
}

extension BrowserTests {
    @Test(
        .enabled(
            if: AxeCore.file != nil,
            "SKIPPED: the dashboard is not checked by axe-core, because scripts/require-clients has not installed it"),
        arguments: ["light", "dark"])
    func `axe finds nothing on any page, wide and narrow, also in menus and dialogs`(scheme: String) async throws {
        let visit = try await visit()
        let browser = visit.browser
        let axe = try String(contentsOf: try #require(AxeCore.file), encoding: .utf8)
        let body = Data(#"{"view": "/campaigns/autumn?period=90d&tz=UTC"}"#.utf8)
        let share = try await client.post("/v1/shares", body, key: shop.app.readKey).json()
        try await browser.setColorScheme(scheme)
        let pages = [
            "/?period=90d", "/campaigns/autumn?period=90d", "/categories/sale?period=90d", "/live", "/reports",
            "/reports/conversion?by=campaign&period=90d", "/reports/heatmap?period=90d", "/alerts",
            "/health?period=90d",
            "/?platform=watchos", "/login", try #require(share["path"] as? String),
        ]
        for path in pages {
            try await browser.setSize((1_280, 900))
            try await browser.open(visit.url + path)
            if path != "/login" { try await visit.settle(path) }
            _ = try await browser.evaluate("(() => { \(axe); return true; })()") as Bool
            for width in [1_280, 360] {
                try await browser.setSize((width, 900))
                try await browser.wait(for: "its width", until: "innerWidth <= \(width)")
                try await expectNothing(browser, "\(path) \(width) \(scheme)")
            }
            guard path == "/?period=90d" else { continue }
            try await browser.setSize((1_280, 900))
            for (what, selector) in [
                ("a menu", "[aria-labelledby=activity] .menu-button"), ("the views", ".view-menu .menu-button"),
                ("the shortcuts", "#shortcuts"),
            ] {
                try await browser.click(selector)
                try await expectNothing(browser, "\(what) \(scheme)")
                try await browser.press(.escape)
            }
            try await browser.type("s", into: "body")
            try await browser.wait(for: "the list", until: "document.querySelector('.share-list')")
            try await expectNothing(browser, "the dialog that shares, \(scheme)")
            try await browser.press(.escape)
        }
        try await visit.expectQuiet(allowing: [403])
    }

    private func expectNothing(_ browser: Browser, _ what: String) async throws {
        let findings: [String] = try await browser.evaluate(
            """
            axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap((rule) =>
                rule.nodes.map((node) => `${rule.id} (${rule.impact}): ${node.html.slice(0, 200)}`)))
            """)
        #expect(findings.isEmpty, "\(what):\n\(findings.joined(separator: "\n"))")
    }
}
