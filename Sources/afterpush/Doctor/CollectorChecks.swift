import Foundation
import HTTPTransport
import Server
import Storage

/// Checks how the collector of these settings can be reached, and asks it for what it has seen, if it is running.
struct CollectorChecks {
    let server: CollectorServer.Configuration
    private var host: String { server.host }
    private var port: Int { server.port }

    func findings() -> [CheckResult] {
        [exposure, proxies] + (server.identity.map { [CertificateChecks.finding(end: $0.end, at: Date())] } ?? [])
    }

    /// Checks the settings alone.
    private var exposure: CheckResult {
        let address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        let encryption = server.identity == nil ? "" : " with TLS"
        let hosts = server.hosts.map { "serves \($0)" } ?? "serves every host name; AFTERPUSH_HTTP_HOSTS can limit them"
        let text = "serve listens on \(address)\(encryption), \(hosts)"
        guard server.identity == nil, server.proxies.isEmpty, !server.isLoopbackOnly else {
            return CheckResult("http", .ok, text)
        }
        return CheckResult(
            "http", .warn, "\(text); without TLS, everyone on the way can read keys and events",
            advice: """
                set AFTERPUSH_TLS_CERTIFICATE and AFTERPUSH_TLS_KEY, or let a proxy speak TLS and name it in \
                AFTERPUSH_HTTP_PROXIES
                """)
    }

    /// Asks a collector on this machine whether it has seen a proxy that is not trusted.
    private var proxies: CheckResult {
        let place = "port \(port) of this machine"
        guard server.identity == nil else {
            return CheckResult("proxies", .ok, "not asked, because the collector uses TLS; its log warns of a proxy")
        }
        guard let metrics = LocalMetrics.text(host: host, port: port) else {
            return CheckResult("proxies", .ok, "no collector shows its metrics without a key on \(place)")
        }
        guard metrics.contains("\nafterpush_http_unlisted_proxy 1\n") else {
            return CheckResult("proxies", .ok, "the collector on \(place) has seen none that is not trusted")
        }
        return CheckResult(
            "proxies", .warn, "the collector on \(place) gets requests through a proxy that is not trusted",
            advice: """
                if the proxy is yours, name its address, which is in the collector's log, in AFTERPUSH_HTTP_PROXIES; \
                until then all its clients share one address, and its limits or exemption
                """)
    }
}

/// Reads `/metrics` of a collector on this machine over plain HTTP.
private enum LocalMetrics {
    private static let seconds = 2
    private static let limit = 4 << 20

    /// Returns the response with status 200, or nil if there is none.
    static func text(host: String, port: Int) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        // A server on all interfaces is asked at the loopback address, where metrics need no key.
        let address = ["0.0.0.0", "localhost"].contains(host) ? "127.0.0.1" : host == "::" ? "::1" : host
        guard port > 0, getaddrinfo(address, String(port), &hints, &found) == 0, let found else { return nil }
        defer { freeaddrinfo(found) }
        let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
        }
        guard connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0 else { return nil }
        let request = Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            return nil
        }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 64 << 10)
        // Anyone can listen there, and send a byte now and then.
        let end = ContinuousClock.now + .seconds(seconds)
        while bytes.count < limit, ContinuousClock.now < end, case let count = recv(descriptor, &part, part.count, 0),
            count > 0
        {
            bytes += part.prefix(count)
        }
        let response = String(decoding: bytes, as: UTF8.self)
        return response.hasPrefix("HTTP/1.1 200 ") ? response : nil
    }
}
