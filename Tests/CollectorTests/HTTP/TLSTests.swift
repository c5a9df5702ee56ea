import Foundation
import Glibc
import TestSupport
import Testing

/// Tests TLS and HTTP/2 with curl, h2load and openssl.
@Suite(.serialized) struct TLSTests {
    private static func run(_ program: String, _ arguments: String...) async throws -> Program.Output {
        try await Program.run(arguments, program: URL(filePath: "/usr/bin/" + program))
    }

    private static func start(_ certificate: TestCertificate) async throws -> HTTPTestCollector {
        try await HTTPTestCollector(
            environment: certificate.environment.merging(["AFTERPUSH_HTTP_HEADER_TIMEOUT": "3"]) { $1 })
    }

    /// The serial number of the certificate on a new connection.
    private static func serial(_ port: Int) async throws -> String {
        let output = try await run(
            "sh", "-c",
            "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -serial")
        return output.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func curl(_ collector: HTTPTestCollector, _ arguments: String...) async throws -> Program.Output {
        let url = "https://127.0.0.1:\(collector.process.port)"
        return try await Program.run(
            ["-sSk", "--max-time", "20", "-w", "\n%{http_version} %{http_code}"]
                + arguments.map { $0.hasPrefix("/") ? url + $0 : $0 }, program: URL(filePath: "/usr/bin/curl"))
    }

    @Test func `events are accepted over HTTP/2 and HTTP/1.1 with the same limits`() async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make(serial: 1)
        let collector = try await Self.start(certificate)
        let body = certificate.directory + "/body.json"
        let key = "Authorization: Bearer \(collector.app.ingestKey)"
        for (version, name) in [("--http2", "2"), ("--http1.1", "1.1")] {
            try EventJSON.body(raw: [EventJSON.raw(), EventJSON.raw()]).write(to: URL(filePath: body))
            let taken = try await curl(collector, version, "-H", key, "--data-binary", "@" + body, "/v1/events")
            #expect(taken.output.contains("\"accepted\":2"), "\(taken)")
            #expect(taken.output.hasSuffix("\(name) 200"), "\(taken)")
            let unknown = try await curl(collector, version, "-i", "-d", "[]", "/v1/events")
            #expect(unknown.output.contains("\(name) 401"), "\(unknown)")
            #expect(unknown.output.lowercased().contains("x-request-id: "), "\(unknown)")
            try Data(repeating: 0x20, count: (5 << 20) + 1).write(to: URL(filePath: body))
            let large = try await curl(collector, version, "-H", key, "--data-binary", "@" + body, "/v1/events")
            #expect(large.output.hasSuffix("\(name) 413"), "\(large)")
            let chunked = try await curl(
                collector, version, "-H", key, "-H", "Transfer-Encoding: chunked", "--data-binary", "@" + body,
                "/v1/events")
            #expect(chunked.output.hasSuffix("\(name) 413"), "\(chunked)")
            try Data(repeating: 0x20, count: 60_000).write(to: URL(filePath: body))
            let slow = try await curl(
                collector, version, "-H", key, "--limit-rate", "100", "--data-binary", "@" + body, "/v1/events")
            #expect(slow.output.hasSuffix("\(name) 408"), "\(slow)")
        }
        let metrics = try await curl(collector, "/metrics").output
        let end = try #require(metrics.firstMatch(of: /\nafterpush_certificate_end_timestamp_seconds ([0-9.e+]+)\n/))
        let rest = try #require(Double(end.1)) - Date().timeIntervalSince1970
        #expect(rest > 86_400 && rest < 2 * 86_400, "\(end.1)")
        let alive = try await Self.run(
            "h2load", "-n", "2000", "-c", "4", "-m", "20", "https://127.0.0.1:\(collector.process.port)/livez")
        #expect(alive.output.contains("2000 succeeded, 0 failed"), "\(alive.output)")
        #expect(alive.output.contains("status codes: 2000 2xx"), "\(alive.output)")
        #expect(await collector.process.stop() == 0)
    }

    @Test func `TLS versions before 1.2 and plain HTTP are refused`() async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make(serial: 1)
        let collector = try await Self.start(certificate)
        #expect(try await curl(collector, "--tls-max", "1.1", "/livez").status != 0)
        #expect(try await curl(collector, "--tlsv1.2", "--tls-max", "1.2", "/livez").output.hasSuffix(" 200"))
        #expect(try await curl(collector, "--tlsv1.3", "/livez").output.hasSuffix(" 200"))
        let plain = try collector.connect()
        await plain.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await plain.receive()?.contains("alive") == false)
        let silent = try collector.connect()
        #expect(await silent.closes(within: .seconds(10)))
    }

    @Test(arguments: [("ec", "ec_paramgen_curve:prime256v1", "ECDSA"), ("rsa", "rsa_keygen_bits:2048", "RSA")])
    func `TLS 1.2 takes only suites with forward secrecy and authenticated encryption`(
        algorithm: String, option: String, signature: String
    ) async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make(serial: 1, algorithm: algorithm, option)
        let collector = try await Self.start(certificate)
        for suite in [
            "AES128-SHA", "AES256-SHA", "AES128-GCM-SHA256", "AES256-GCM-SHA384", "ECDHE-\(signature)-AES128-SHA",
            "ECDHE-\(signature)-AES256-SHA",
        ] {
            let answer = try await curl(collector, "--tls-max", "1.2", "--ciphers", suite, "/livez")
            #expect(answer.status != 0, "\(suite)")
        }
        for suite in [
            "ECDHE-\(signature)-AES128-GCM-SHA256", "ECDHE-\(signature)-AES256-GCM-SHA384",
            "ECDHE-\(signature)-CHACHA20-POLY1305",
        ] {
            let answer = try await curl(collector, "--tls-max", "1.2", "--ciphers", suite, "/livez")
            #expect(answer.output.hasSuffix(" 200"), "\(suite): \(answer)")
        }
    }

    @Test func `SIGHUP loads a new certificate but no broken one, and connections stay open`() async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        try await certificate.make(serial: 0x1111)
        let collector = try await Self.start(certificate)
        let port = collector.process.port
        #expect(try await Self.serial(port) == "serial=1111")
        // A single connection: three requests, one second apart.
        async let open = Self.run(
            "curl", "-sSk", "--http1.1", "--rate", "60/m", "-w", "%{num_connects} %{http_code}\n", "-o", "/dev/null",
            "-o",
            "/dev/null", "-o", "/dev/null", "https://127.0.0.1:\(port)/livez", "https://127.0.0.1:\(port)/livez",
            "https://127.0.0.1:\(port)/livez")
        try await Task.sleep(for: .milliseconds(300))
        try await certificate.make(serial: 0x2222)
        kill(collector.process.pid, SIGHUP)
        try await Self.wait { try await Self.serial(port) == "serial=2222" }
        try Data("nonsense".utf8).write(to: URL(filePath: certificate.path))
        kill(collector.process.pid, SIGHUP)
        try await Self.wait {
            collector.process.errorOutput.contains("could not reload the TLS certificate; the old one stays in use")
        }
        #expect(try await Self.serial(port) == "serial=2222")
        #expect(try await open.output == "1 200\n0 200\n0 200\n")
    }

    @Test func `a collector without TLS goes on after SIGHUP`() async throws {
        let collector = try await CollectorProcess(conninfo: try await TestCluster.database())
        kill(collector.pid, SIGHUP)
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await TestClient(url: collector.url).get("/livez", key: nil).status == 200)
        #expect(await collector.stop() == 0)
    }

    @Test func `an unusable certificate ends the program with the reason`() async throws {
        let certificate = TestCertificate()
        defer { certificate.remove() }
        let other = TestCertificate()
        defer { other.remove() }
        try await certificate.make(serial: 1)
        try await other.make(serial: 2)
        let conninfo = try await TestCluster.database()
        for (path, key, reason) in [
            (certificate.path, other.key, "does not belong"),
            (certificate.path, "/nowhere", "can't be read: No such file or directory"),
            (certificate.key, certificate.key, "certificate"),
        ] {
            let output = try await Program.run(
                ["serve", "--port", "0", "--database-url", conninfo],
                environment: ["AFTERPUSH_TLS_CERTIFICATE": path, "AFTERPUSH_TLS_KEY": key])
            #expect(output.status == 1)
            #expect(output.error.contains(reason), "\(output.error)")
        }
    }

    private static func wait(until isDone: () async throws -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while try await !isDone() {
            guard ContinuousClock.now < deadline else { throw Program.Failed(message: "it takes too long") }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
