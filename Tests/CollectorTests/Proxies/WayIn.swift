import Foundation
import RawHTTP2
import TestSupport
import Testing

/// A way in which a client reaches a collector: directly or through a proxy, over HTTP/1.1 or HTTP/2.
struct WayIn: Sendable, CaseIterable, CustomTestStringConvertible {
    enum Version: String, Sendable, CaseIterable {
        case http1 = "HTTP/1.1"
        case http2 = "HTTP/2"
    }

    let version: Version
    /// `nil` is the collector itself.
    let proxy: ProxyProcess.Kind?

    static let allCases = [nil, .nginx, .haproxy].flatMap { proxy in
        Version.allCases.map { WayIn(version: $0, proxy: proxy) }
    }
    static let http1 = allCases.filter { $0.version == .http1 }
    static let http2 = allCases.filter { $0.version == .http2 }

    var testDescription: String { version.rawValue + (proxy.map { " through \($0)" } ?? "") }

    /// A path that the proxies of these tests refuse, so that only a request that they don't see can reach it.
    static let refusedPath = "/v1/provider-results"

    /// The word for this way in names that tests look for in the database.
    var word: String { "\(version)-\(proxy?.rawValue ?? "direct")" }

    /// The address of the clients of this way, so that each has a share of its own.
    var source: String {
        let index = Self.allCases.firstIndex { $0.testDescription == testDescription } ?? 0
        return "127.0.0.\(20 + index)"
    }

    /// Only the collector itself speaks HTTP/1.1 without TLS.
    var isSecure: Bool { version == .http2 || proxy != nil }

    /// The collectors and proxies that all tests share.
    struct Servers: Sendable {
        /// The collector without TLS, which the proxies are in front of.
        let plain: HTTPTestCollector
        let secure: HTTPTestCollector
        let proxies: [ProxyProcess.Kind: ProxyProcess]
    }

    static let servers = Task {
        let certificate = TestCertificate()
        // The collector reads it when it starts.
        defer { certificate.remove() }
        try await certificate.make()
        // The addresses of the tests have limits like any other.
        let environment = ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1", "AFTERPUSH_LIMITS_EXEMPT": "none"]
        let plain = try await HTTPTestCollector(environment: environment)
        let secure = try await HTTPTestCollector(environment: certificate.environment.merging(environment) { $1 })
        var proxies: [ProxyProcess.Kind: ProxyProcess] = [:]
        for kind in ProxyProcess.Kind.allCases {
            proxies[kind] = try await ProxyProcess(kind, upstream: plain.process.port, refusing: refusedPath)
        }
        return Servers(plain: plain, secure: secure, proxies: proxies)
    }

    /// An open way: where requests go to, and the collector that answers them.
    struct Entrance: Sendable {
        let way: WayIn
        let collector: HTTPTestCollector
        let port: Int

        var app: TestApp { collector.app }

        var url: String { (way.isSecure ? "https" : "http") + "://127.0.0.1:\(port)" }

        /// A client that speaks this version of HTTP.
        func curl(_ options: String...) -> Curl {
            Curl(url, ["-k", way.version == .http2 ? "--http2" : "--http1.1", "--interface", way.source] + options)
        }

        /// A connection for any bytes of HTTP/1.1.
        func connect(receiveBuffer: Int? = nil) async throws -> RawTLSConnection {
            try await RawTLSConnection(
                port: port, isSecure: way.isSecure, source: way.source, receiveBuffer: receiveBuffer)
        }

        /// A connection for any frames of HTTP/2.
        func connectHTTP2(initialWindow: Int = 65_535) async throws -> RawHTTP2Connection {
            try await RawHTTP2Connection(
                port: port, isSecure: true, initialWindow: initialWindow, source: way.source)
        }

        /// Posts a body and returns the response.
        func post(
            _ body: Data, key: String?, path: String = "/v1/events", headers: [String] = []
        ) async throws -> Curl.Response {
            let file = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(12))"
            try body.write(to: URL(filePath: file))
            defer { try? FileManager.default.removeItem(atPath: file) }
            let headers = headers + (key.map { ["Authorization: Bearer \($0)"] } ?? [])
            return try await curl()(path, headers: headers, "--data-binary", "@" + file)
        }

        /// Posts an event, and returns the time until the acknowledgement.
        func postEvent() async throws -> Duration {
            try await ContinuousClock().measure {
                let response = try await post(EventJSON.body(raw: [EventJSON.raw()]), key: app.ingestKey)
                guard response.status == 200 else { throw Program.Failed(message: response.body) }
            }
        }

        /// The number of stored events of a campaign.
        func stored(campaign: String) async throws -> String? {
            try await app.value("select count(*) from afterpush.events where campaign_id = '\(campaign)'")
        }
    }

    /// Opens the way.
    func open() async throws -> Entrance {
        let servers = try await Self.servers.value
        if let proxy {
            guard let process = servers.proxies[proxy] else { throw Program.Failed(message: "no \(proxy)") }
            return Entrance(way: self, collector: servers.plain, port: process.port)
        }
        let collector = version == .http1 ? servers.plain : servers.secure
        return Entrance(way: self, collector: collector, port: collector.process.port)
    }
}
