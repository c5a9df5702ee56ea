import Foundation
import TestSupport
import Testing

/// Tests receipts between the collector and another implementation, Python's standard library.
@Suite struct ReceiptInteropTests {
    private func python(_ script: String, _ environment: [String: String], input: String? = nil) async throws -> String
    {
        let output = try await Program.run(
            ["-c", script], program: URL(filePath: "/usr/bin/python3"), input: input, environment: environment)
        #expect(output.status == 0, "\(output.error)")
        return output.output.trimmingCharacters(in: .newlines)
    }

    /// The Python program in the documentation.
    private static func example() throws -> String {
        let page = try String(
            contentsOf: Program.root.appending(path: "docs/payloads-and-receipts.md"), encoding: .utf8)
        let block = try #require(page.components(separatedBy: "```python\n").dropFirst().first)
        return try #require(block.components(separatedBy: "```").first)
    }

    @Test func `a receipt made by the documentation's program is accepted and counts as verified`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let receipt = try await python(Self.example(), ["SECRET": app.receiptSecret()])
        let event: [String: any Sendable] = [
            "event_id": UUID().uuidString, "kind": "opened", "receipt": receipt,
            "occurred_at": Date().formatted(.iso8601),
        ]
        let response = try await TestClient(url: collector.url)
            .post("/v1/events", EventJSON.body([event]), key: app.ingestKey)
        #expect(try response.json()["accepted"] as? Int == 1, "\(response.text)")
        #expect(
            try await app.value(
                "select concat_ws(',', notification_id, device_id, campaign_id, variant, verified) from afterpush.events"
            )
                == "n-1,d-1,autumn,a,t")
        await collector.stop()
    }

    @Test func `another program can verify and read a receipt of the collector`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let body = Data(
            #"{"receipts":[{"notification_id":"n/1 \u00e9","device_id":"d","category_version":2,"expires_in":60}]}"#
                .utf8)
        let response = try await TestClient(url: collector.url).post("/v1/receipts", body, key: app.sendKey)
        let receipt = try #require((try response.json()["receipts"] as? [String])?.first)
        let claims = try await python(
            """
            import base64, hashlib, hmac, json, os, sys
            def raw(text): return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            header, payload, tag = sys.stdin.read().split(".")
            wanted = hmac.new(raw(os.environ["SECRET"]), f"{header}.{payload}".encode(), hashlib.sha256).digest()
            assert hmac.compare_digest(wanted, raw(tag))
            assert json.loads(raw(header)) == {"alg": "HS256", "typ": "JWT"}
            claims = json.loads(raw(payload))
            assert claims["exp"] - claims["iat"] == 60 and type(claims["iat"]) is int
            print(sorted((name, claims[name]) for name in claims if name not in ("iat", "exp")))
            """, ["SECRET": app.receiptSecret()], input: receipt)
        #expect(claims == "[('iss', 'shop'), ('jti', 'n/1 \u{E9}'), ('sub', 'd'), ('ver', 2)]")
        await collector.stop()
    }
}
