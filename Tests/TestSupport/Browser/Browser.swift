package import Foundation
import Glibc

/// A headless Chromium with one window; `reset` removes what a test leaves behind.
package final class Browser: Sendable {
    /// A value that is ignored.
    package struct Nothing: Decodable, Sendable {
        package init(from decoder: any Decoder) throws {}
    }

    /// A line of the browser's log.
    package struct LogLine: Decodable, Sendable {
        package let level: String
        package let message: String
    }

    private struct Started: Decodable, Sendable {
        struct Capabilities: Decodable, Sendable {
            let processID: Int32?

            enum CodingKeys: String, CodingKey {
                case processID = "goog:processID"
            }
        }

        let sessionId: String
        let capabilities: Capabilities
    }

    /// Whether Chromium and its driver are installed.
    package static var isInstalled: Bool {
        ["/usr/bin/chromium", WebDriver.program].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private let driver: WebDriver
    private let path: String
    private let home: String
    private let pid: Int32?
    /// The directory of downloads.
    package let downloads: String

    package init() async throws {
        home = FileManager.default.temporaryDirectory.path + "/afterpush-browser-\(UUID().uuidString.prefix(8))"
        downloads = home + "/downloads"
        try FileManager.default.createDirectory(atPath: downloads, withIntermediateDirectories: true)
        ExitCleanup.register(directory: home)
        driver = try await WebDriver(home: home)
        var arguments = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
            "--disable-extensions", "--window-size=1280,900", "--lang=en-US", "--user-data-dir=\(home)/profile",
            // Requests of a page to other hosts are recorded and go nowhere.
            "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        ]
        // Chromium's sandbox does not run as root.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        let options: [String: any Sendable] = [
            "browserName": "chrome",
            "goog:chromeOptions": ["binary": "/usr/bin/chromium", "args": arguments] as [String: any Sendable],
            "goog:loggingPrefs": ["browser": "ALL", "performance": "ALL"],
            "timeouts": ["script": 20_000, "pageLoad": 30_000, "implicit": 0],
        ]
        let started: Started = try await driver.send(
            "/session", ["capabilities": ["alwaysMatch": options] as [String: any Sendable]])
        path = "/session/" + started.sessionId
        pid = started.capabilities.processID
        if let pid { ExitCleanup.register(collector: pid) }
        let _: Nothing = try await command(
            "Browser.setDownloadBehavior", ["behavior": "allow", "downloadPath": downloads])
    }

    /// Sends a command to the browser's session.
    func send<Value: Decodable & Sendable>(
        _ command: String, _ body: [String: any Sendable]? = nil, method: String? = nil
    ) async throws -> Value {
        try await driver.send(path + command, body, method: method)
    }

    /// A command of the Chrome DevTools Protocol.
    @discardableResult
    package func command<Value: Decodable & Sendable>(
        _ name: String, _ parameters: [String: any Sendable] = [:]
    ) async throws -> Value {
        try await send("/goog/cdp/execute", ["cmd": name, "params": parameters])
    }

    /// The value of an expression in the page, or the result of a promise.
    package func evaluate<Value: Decodable & Sendable>(_ expression: String) async throws -> Value {
        try await send("/execute/sync", ["script": "return (\(expression));", "args": [String]()])
    }

    /// The lines that the browser logged since the last call.
    package func log() async throws -> [LogLine] {
        try await send("/se/log", ["type": "browser"])
    }

    /// The addresses that pages requested since the last call.
    package func requests() async throws -> [String] {
        let lines: [LogLine] = try await send("/se/log", ["type": "performance"])
        return lines.compactMap { line in
            try? JSONDecoder().decode(NetworkEvent.self, from: Data(line.message.utf8)).message.params.request?.url
        }
    }

    private struct NetworkEvent: Decodable {
        struct Message: Decodable {
            let params: Parameters
        }

        struct Parameters: Decodable {
            let request: Request?
        }

        struct Request: Decodable {
            let url: String
        }

        let message: Message
    }

    /// The whole page as PNG, including the part below the window's edge.
    package func screenshot() async throws -> Data {
        struct Screenshot: Decodable, Sendable {
            let data: String
        }
        let screenshot: Screenshot = try await command(
            "Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
        return Data(base64Encoded: screenshot.data) ?? Data()
    }

    /// Ends the browser and removes its files.
    package func close() async {
        let _: Nothing? = try? await send("", method: "DELETE")
        driver.stop()
        if let pid { ExitCleanup.forget(collector: pid) }
        try? FileManager.default.removeItem(atPath: home)
    }
}
