import Foundation
import TestSupport
import Testing

/// A test's time with the browser that all share: it begins with nothing remembered, and ends with a look at what was
/// logged and asked for.
struct BrowserVisit {
    /// One process for all.
    static let browser = Task { try await Browser() }

    let browser: Browser
    let url: String

    /// - Parameter session: of whoever is signed in; without one nobody is.
    init(_ url: String, session: String? = nil) async throws {
        browser = try await Self.browser.value
        self.url = url
        try await browser.reset()
        if let session { try await browser.setCookie("afterpush_session", session, url: url) }
    }

    /// Goes to a page, and waits until it shows what it asked for.
    func open(_ path: String) async throws {
        try await browser.open(url + path)
        try await settle(path)
    }

    /// Waits until nothing of the page is loading.
    func settle(_ what: String) async throws {
        try await browser.wait(
            for: "all of \(what)",
            until: """
                document.querySelector('main .page-head h1') && !document.querySelector('[aria-busy=true], .skeleton')
                """)
    }

    var path: String {
        get async throws { try await browser.evaluate("location.pathname + location.search") }
    }

    /// Nothing went wrong in the page, and it asked nobody but its collector.
    ///
    /// - Parameter statuses: of answers that the test brought about.
    func expectQuiet(allowing statuses: [Int] = []) async throws {
        for line in try await browser.log() where line.level == "SEVERE" || line.level == "WARNING" {
            let isExpected =
                statuses.contains { line.message.contains("the server responded with a status of \($0)") }
                || !statuses.isEmpty && line.message.contains("net::ERR_")
            #expect(isExpected, "the browser logged: \(line.message)")
        }
        for request in try await browser.requests() {
            let isOwn = ["\(url)/", "data:", "about:", "blob:"].contains { request.hasPrefix($0) }
            #expect(isOwn, "the page asked for \(request)")
        }
    }
}
