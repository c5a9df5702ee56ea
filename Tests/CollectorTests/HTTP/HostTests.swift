import Foundation
import TestSupport
import Testing

/// Tests the list of hosts by which clients may address the collector, and how targets name resources.
@Suite struct HostTests {
    private static let hosts = ["AFTERPUSH_HTTP_HOSTS": "push.example.com, 127.0.0.1"]

    @Test func `a request to a host that is not in the list gets 421 on every route`() async throws {
        let collector = try await HTTPTestCollector(environment: Self.hosts)
        let curl = Curl(collector.process.url, ["-H", "Authorization: Bearer \(collector.app.readKey)"])
        for path in ["/livez", "/metrics", "/v1/reports", "/openapi.json", "/login?token=x", "/nowhere", "//livez"] {
            let refused = try await curl(path, headers: ["Host: evil.example"])
            #expect(refused.status == 421 && refused.body.contains(#""code":"host_not_served""#), "\(path): \(refused)")
            for host in ["push.example.com", "PUSH.EXAMPLE.COM:1", "127.0.0.1:8080"] {
                #expect(try await curl(path, headers: ["Host: \(host)"]).status != 421, "\(path), \(host)")
            }
        }
        for host in ["localhost", "push.example.com.evil.example", "10.0.0.1", "[::1]:443"] {
            let request = "GET /livez HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
            #expect(try await collector.exchange(request)?.hasPrefix("HTTP/1.1 421 ") == true, "\(host)")
        }
        let event = "POST /v1/events HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer \(collector.app.ingestKey)"
        let posted = try await collector.exchange(event + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]")
        #expect(posted?.hasPrefix("HTTP/1.1 421 ") == true, "\(posted ?? "open")")
        let old = try await collector.exchange("GET /livez HTTP/1.0\r\n\r\n")
        #expect(old?.hasPrefix("HTTP/1.1 421 ") == true, "\(old ?? "open")")
        let metrics = try await curl("/metrics").body
        #expect(metrics.contains(/http_requests_total{route="other",status="421"} [1-9]/), "\(metrics)")
    }

    @Test func `the list holds over HTTP/2, and a path is no URL there`() async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make(serial: 1)
        let collector = try await HTTPTestCollector(environment: Self.hosts.merging(certificate.environment) { $1 })
        func status(_ arguments: String...) async throws -> String {
            try await Program.run(
                ["-sSk", "--max-time", "20", "-o", "/dev/null", "-w", "%{http_version} %{http_code}", "--http2"]
                    + arguments + ["https://127.0.0.1:\(collector.process.port)/livez"],
                program: URL(filePath: "/usr/bin/curl")
            ).output
        }
        #expect(try await status() == "2 200")
        #expect(try await status("-H", "Host: push.example.com") == "2 200")
        #expect(try await status("-H", "Host: evil.example") == "2 421")
        #expect(try await status("--request-target", "/livez?x") == "2 200")
        // A body after HEAD, or a long location, would end the connection instead.
        #expect(try await status("--head", "--request-target", "/nowhere") == "2 404")
        #expect(try await status("--request-target", "/?" + String(repeating: "?", count: 9_000)) == "2 303")
        for target in ["http://push.example.com/livez", "x://y/livez", "livez", "//livez", "/livez/"] {
            #expect(try await status("--request-target", target) == "2 404", "\(target)")
        }
    }

    @Test func `HEAD of what is not found has the headers of the problem and no body`() async throws {
        let collector = try await HTTPTestCollector.usual.value
        for path in ["/nowhere", "/v1/events", "//livez"] {
            let answer = try await collector.exchange("HEAD \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            #expect(answer?.hasPrefix("HTTP/1.1 4") == true && answer?.hasSuffix("\r\n\r\n") == true, "\(answer ?? "")")
            #expect(answer?.contains("application/problem+json") == true, "\(answer ?? "")")
        }
    }

    @Test func `without a list, every host is served`() async throws {
        let collector = try await HTTPTestCollector.usual.value
        for host in ["push.example.com", "evil.example:1", "10.0.0.1"] {
            #expect(try await Curl(collector.process.url)("/livez", headers: ["Host: \(host)"]).status == 200)
        }
    }

    @Test func `metrics need a key if this machine is a proxy, and a host with a port is refused`() async throws {
        let collector = try await HTTPTestCollector(environment: ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1"])
        #expect(try await collector.client.get("/metrics", key: nil).status == 401)
        #expect(try await collector.client.get("/metrics", key: collector.app.readKey).status == 200)
        let output = try await Program.run(
            ["serve", "--port", "0", "--database-url", collector.app.conninfo],
            environment: ["AFTERPUSH_HTTP_HOSTS": "push.example.com:443"])
        #expect(output.status == 2 && output.error.contains("http.hosts must be a list of host names"), "\(output)")
    }

    @Test func `blanks around a target do not change it`() async throws {
        let collector = try await HTTPTestCollector.shared.value
        func status(_ line: String) async throws -> Substring? {
            try await collector.exchange("\(line)\r\nHost: a\r\nConnection: close\r\n\r\n")?.split(separator: " ")
                .dropFirst().first
        }
        // RFC 9112, section 3: a server may take any whitespace between the parts for one blank.
        #expect(try await status("GET  /livez HTTP/1.1") == "200")
        #expect(try await status("GET /livez  HTTP/1.1") == "200")
        #expect(try await status("GET   //livez HTTP/1.1") == "404")
        #expect(try await status("GET /livez /v1/reports HTTP/1.1") == "400")
        #expect(try await status("GET\t/livez HTTP/1.1") == "400")
        #expect(try await status("GET http://a/livez HTTP/1.1") == "200")
        #expect(try await status("GET http://a//livez HTTP/1.1") == "404")
    }
}
