import AttackProcess
import Foundation
import TestSupport
import Testing

/// Clients behind a proxy have the limits of their own addresses, whatever they claim.
@Suite struct ProxyAddressTests {
    /// A collector, with a proxy in front of it that is trusted.
    private struct Site {
        let collector: HTTPTestCollector
        let proxy: ProxyProcess

        init(_ kind: ProxyProcess.Kind, _ environment: [String: String] = [:]) async throws {
            let own = ["AFTERPUSH_HTTP_PROXIES": "127.0.0.1", "AFTERPUSH_LIMITS_EXEMPT": "none"]
            collector = try await HTTPTestCollector(environment: environment.merging(own) { $1 })
            proxy = try await ProxyProcess(kind, upstream: collector.process.port)
        }

        /// The status of a post from an address.
        func post(
            from address: String, key: String? = nil, events: Int = 1, headers: [String] = [],
            version: String = "--http2"
        ) async throws -> Int {
            let curl = Curl("https://127.0.0.1:\(proxy.port)", ["-k", version, "--interface", address])
            let body = EventJSON.body(raw: (0..<events).map { _ in EventJSON.raw() })
            let file = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(12))"
            try body.write(to: URL(filePath: file))
            defer { try? FileManager.default.removeItem(atPath: file) }
            return try await curl(
                "/v1/events", headers: ["Authorization: Bearer \(key ?? collector.app.ingestKey)"] + headers,
                "--data-binary", "@" + file
            ).status
        }
    }

    /// What a client behind a proxy can send to appear as another one.
    private static func claims(of address: String) -> [[String]] {
        [
            ["X-Forwarded-For: \(address)"], ["X-Forwarded-For: \(address)", "X-Forwarded-For: \(address)"],
            ["x-forwarded-for: \(address),"], ["X-Forwarded-For: 127.0.0.1"], ["X-Forwarded-For: unknown"],
            ["X-Forwarded-For: \(address), 127.0.0.1"], ["Forwarded: for=\(address)"], ["X-Real-IP: \(address)"],
            ["X-Forwarded-For:\t\(address)"], ["X-Forwarded-For: ::1"], ["X_Forwarded_For: \(address)"],
            ["Connection: X-Forwarded-For"], ["Connection: close, X-Forwarded-For", "X-Forwarded-For: \(address)"],
            ["True-Client-IP: \(address)"], ["X-Client-IP: \(address)"],
        ]
    }

    @Test(arguments: ProxyProcess.Kind.allCases)
    func `rates are those of the client behind the proxy, whatever it claims`(kind: ProxyProcess.Kind) async throws {
        // What is exceeded is not refilled during the test.
        let site = try await Site(kind, ["AFTERPUSH_RATE_KEY_ADDRESS": "1", "AFTERPUSH_RATE_BURST": "100"])
        let (attacker, other) = ("127.0.0.9", "127.0.0.10")
        #expect(try await site.post(from: attacker, events: 1_000) == 200)
        for headers in Self.claims(of: other) {
            for version in ["--http1.1", "--http2"] {
                // HTTP/2 has no such header, and a proxy may refuse a request with it.
                if version == "--http2", headers.contains(where: { $0.hasPrefix("Connection") }) { continue }
                #expect(try await site.post(from: attacker, headers: headers, version: version) == 429, "\(headers)")
            }
        }
        // None of that was charged to others.
        #expect(try await site.post(from: other, events: 90) == 200)
        #expect(try await site.post(from: other) == 200)
        #expect(try await site.post(from: attacker) == 429)
        #expect(try await site.post(from: attacker, key: site.collector.app.sendKey) == 200)
    }

    @Test(arguments: ProxyProcess.Kind.allCases)
    func `unknown keys are counted for the client behind the proxy`(kind: ProxyProcess.Kind) async throws {
        let site = try await Site(kind, ["AFTERPUSH_RATE_FAILURES": "1"])
        let (attacker, other) = ("127.0.0.9", "127.0.0.10")
        var statuses: [Int] = []
        for index in 0..<30 {
            let claim = ["X-Forwarded-For: 127.0.0.\(100 + index)"]
            statuses.append(try await site.post(from: attacker, key: "ap_ingest_\(index)", headers: claim))
        }
        #expect(statuses.contains(429), "\(statuses)")
        #expect(try await site.post(from: other, key: "ap_ingest_x") == 401)
        #expect(try await site.post(from: other) == 200)
    }

    @Test(arguments: ProxyProcess.Kind.allCases)
    func `the memory for bodies is shared between the clients behind the proxy`(kind: ProxyProcess.Kind) async throws {
        let site = try await Site(kind)
        let attack = StarvationAttack.unfinishedBodies
        let running = try RunningAttack(
            attack, port: site.proxy.port, isSecure: true, key: site.collector.app.ingestKey, rate: 125_000)
        try await Task.sleep(for: attack.rampUp)
        for _ in 0..<20 { #expect(try await site.post(from: "127.0.0.10", events: 100) == 200) }
        let counts = try await running.stop()
        // The attacker did get more than his share refused.
        #expect(counts.statuses["503", default: 0] > 0, "\(counts.line)")
    }

    @Test(arguments: ProxyProcess.Kind.allCases)
    func `metrics need a key through a proxy, whether it adds headers or not`(kind: ProxyProcess.Kind) async throws {
        let site = try await Site(kind)
        let upstream = site.collector.process.port
        // It has no headers to add, and passes on whatever host a client names.
        let tunnel = try TCPProxy(to: .port(upstream))
        defer { tunnel.close() }
        let bare = try await ProxyProcess(kind, upstream: upstream, isBare: true)
        let key = "Authorization: Bearer \(site.collector.app.readKey)"
        let https = [site.proxy.port, bare.port].map { "https://127.0.0.1:\($0)" }
        for url in https + ["http://127.0.0.1:\(tunnel.port)"] {
            for version in ["--http1.1", "--http2"] {
                let curl = Curl(url, ["-k", version])
                for host in ["push.example.com", "localhost", "127.0.0.1:\(upstream)"] {
                    let refused = try await curl("/metrics", headers: ["Host: \(host)"])
                    #expect(refused.status == 401, "\(url) \(version) \(host)")
                }
                #expect(try await curl("/metrics", headers: [key]).body.contains("\nafterpush_"), "\(url) \(version)")
            }
        }
    }

    @Test(arguments: ProxyProcess.Kind.allCases)
    func `a browser logs in through a proxy as it does under TLS`(kind: ProxyProcess.Kind) async throws {
        let site = try await Site(kind)
        let url = "https://127.0.0.1:\(site.proxy.port)"
        let curl = Curl(url, ["-k", "--http2"])
        let form = ["key": site.collector.app.readKey, "next": "/"]
        let answer = try await curl.post("/login", form, headers: ["Origin: \(url)"])
        #expect(answer.status == 303, "\(answer)")
        #expect(answer.headers["set-cookie"]?.contains("Secure") == true, "\(answer.headers)")
        #expect(answer.headers["strict-transport-security"] != nil)
        #expect(try await curl.post("/login", form, headers: ["Origin: https://other.example"]).status == 403)
        // Only a trusted proxy can say that it uses TLS, and a client can't unsay it.
        let plain = try await curl("/livez", headers: ["X-Forwarded-Proto: http"])
        #expect(plain.headers["strict-transport-security"] != nil)
    }
}
