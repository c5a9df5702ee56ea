import Foundation
import TestSupport
import Testing

/// A test's use of the shared browser: it begins with a reset, and ends with a check of the log and the requests.
struct BrowserVisit {
    /// The browser that all tests share.
    static let browser = Task { try await Browser() }

    let browser: Browser
    let url: String

    /// Resets the browser.
    ///
    /// - Parameter session: The session to use; without one no user is signed in.
    init(_ url: String, session: String? = nil) async throws {
        browser = try await Self.browser.value
        self.url = url
        try await browser.reset()
        if let session { try await browser.setCookie("afterpush_session", session, url: url) }
    }

    /// Opens a page and waits until its data is shown.
    func open(_ path: String) async throws {
        try await browser.open(url + path)
        try await settle(path)
    }

    /// Waits until the page has finished loading.
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

    /// Expects no error in the page's log, and no request except to its collector.
    ///
    /// - Parameter statuses: the error statuses that the test causes.
    func expectQuiet(allowing statuses: [Int] = []) async throws {
        for line in try await browser.log() where line.level == "SEVERE" || line.level == "WARNING" {
            let isExpected =
                statuses.contains { line.message.contains("the server responded with a status of \($0)") }
                || !statuses.isEmpty && line.message.contains("net::ERR_")
            #expect(isExpected, "the browser logged: \(line.message)")
        }
        for request in try await browser.requests() {
            let isOwn = ["\(url)/", "data:", "about:", "blob:"].contains { request.hasPrefix($0) }
            #expect(isOwn, "the page requested \(request)")
        }
    }
}
