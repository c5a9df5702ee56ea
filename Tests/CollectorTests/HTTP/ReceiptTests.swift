import AfterpushWire
import Events
import Foundation
import Postgres
import Receipts
import Storage
import TestSupport
import Testing

/// Tests receipts from the request to the report that counts verified events.
@Suite struct ReceiptTests {
    private let app: TestApp
    private let collector: CollectorProcess
    private let client: TestClient
    private static let now = Date()

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        client = TestClient(url: collector.url)
    }

    /// The receipts that the collector issues for the requests.
    private func receipts(_ orders: [[String: any Sendable]], of app: TestApp? = nil) async throws -> [String] {
        let body = try JSONSerialization.data(withJSONObject: ["receipts": orders])
        let response = try await client.post("/v1/receipts", body, key: (app ?? self.app).sendKey)
        #expect(response.status == 200, "\(response.text)")
        return try #require(try response.json()["receipts"] as? [String])
    }

    /// A present event with a receipt; the ids come from the receipt unless they are given.
    private func event(
        _ receipt: String?, _ fields: [String: any Sendable] = [:], kind: String = "opened", at time: Date = now
    ) -> [String: any Sendable] {
        var event: [String: any Sendable] = [
            "event_id": UUID().uuidString, "kind": kind, "occurred_at": time.formatted(.iso8601),
        ]
        if let receipt { event["receipt"] = receipt }
        return event.merging(fields) { $1 }
    }

    /// The rejection code of a single event, or nil if it is accepted.
    private func code(_ event: [String: any Sendable], key: String? = nil) async throws -> String? {
        let response = try await client.post("/v1/events", EventJSON.body([event]), key: key ?? app.ingestKey)
        #expect(response.status == 200 || response.status == 422, "\(response.text)")
        return try response.rejections()[0]
    }

    /// Waits until the collector knows of a change and rejects the event with the code.
    private func waitFor(_ code: String?, _ event: () -> [String: any Sendable]) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var last: String?
        while ContinuousClock.now < deadline {
            last = try await self.code(event())
            if last == code { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the code is \(last ?? "none"), not \(code ?? "none")")
    }

    private func run(_ arguments: [String], of conninfo: String? = nil) async throws -> Program.Output {
        try await Program.run(arguments + ["--database-url", conninfo ?? app.conninfo])
    }

    @Test func `a receipt's claims replace the event's fields, and verify the event if they name the device`()
        async throws
    {
        let receipts = try await receipts([
            [
                "notification_id": "n1", "device_id": "d1", "campaign_id": "spring", "category_id": "ORDER",
                "category_version": 3, "variant": "b", "expires_in": 600,
            ],
            ["notification_id": "n2"],
        ])
        #expect(receipts.count == 2)
        let forged =
            ["campaign_id": "forged", "variant": "z", "category_id": "OTHER", "category_version": 9]
            as [String: any Sendable]
        let body = try EventJSON.body([
            event(receipts[0], forged, kind: "delivered"), event(receipts[0]),
            event(receipts[1], ["device_id": "d2"], kind: "delivered"),
        ])
        let response = try await client.post("/v1/events", body, key: app.ingestKey)
        #expect(try response.json()["accepted"] as? Int == 3, "\(response.text)")
        let stored = try await app.value(
            """
            select string_agg(concat_ws(',', notification_id, device_id, campaign_id, variant, category_id,
                category_version, verified, receipt_issued_at is not null), ';' order by notification_id, kind)
            from afterpush.events
            """)
        let full = "n1,d1,spring,b,ORDER,3,t,t"
        #expect(stored == "\(full);\(full);n2,d2,f,t")
        try await app.waitForRollups()
        for (verified, opened, confirmed) in [("true", 1, 1), ("false", 1, 2)] {
            let report = try await client.get("/v1/reports/conversion?verified=\(verified)", key: app.readKey)
            let row = try #require((try report.json()["rows"] as? [[String: Any]])?.first)
            #expect(row["opened"] as? Int == opened && row["confirmed"] as? Int == confirmed, "\(row)")
        }
    }

    @Test func `a receipt is valid for every event of its delivery, but for no other device, notification or app`()
        async throws
    {
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let receipt = try await receipts([["notification_id": "n1", "device_id": "d1"]])[0]
        #expect(try await code(event(receipt)) == nil)
        #expect(try await code(event(receipt, ["device_id": "d1", "notification_id": "n1"], kind: "read")) == nil)
        #expect(try await code(event(receipt, ["device_id": "d2"])) == "receipt_mismatch")
        #expect(try await code(event(receipt, ["notification_id": "n2"])) == "receipt_mismatch")
        #expect(try await code(event(receipt), key: other.ingestKey) == "receipt_invalid")
        #expect(try await code(event(receipt), key: other.sendKey) == "receipt_invalid")
        let foreign = try await receipts([["notification_id": "n1", "device_id": "d1"]], of: other)[0]
        #expect(try await code(event(foreign)) == "receipt_invalid")
        // Signed with this app's secret for the other app.
        let now = AfterpushWire.Timestamp(microseconds: Int64(Self.now.timeIntervalSince1970) * 1_000_000)
        let swapped = try await app.receipts([
            ReceiptClaims(app: "other", notificationID: "n1", deviceID: "d1", issuedAt: now, expiresAt: now)
        ])
        #expect(try await code(event(swapped[0])) == "receipt_invalid")
        #expect(try await code(event(String(receipt.dropLast(3)))) == "receipt_invalid")
        #expect(try await code(event(receipt + "\n")) == "receipt_invalid")
        #expect(try await code(event("ey" + String(repeating: "J", count: 5_000))) == "field_too_long")
        #expect(try await app.value("select count(*) from afterpush.events") == "2")
    }

    @Test func `a receipt expires by the corrected time of the event, however late it is posted`() async throws {
        let now = AfterpushWire.Timestamp(microseconds: Int64(Self.now.timeIntervalSince1970) * 1_000_000)
        func later(_ seconds: Int64) -> AfterpushWire.Timestamp {
            AfterpushWire.Timestamp(microseconds: now.microseconds + seconds * 1_000_000)
        }
        let receipt = try await app.receipts([
            ReceiptClaims(
                app: "shop", notificationID: "n1", deviceID: "d1", issuedAt: later(-40 * 86_400),
                expiresAt: later(-10 * 86_400))
        ])[0]
        let end = Self.now.addingTimeInterval(-10 * 86_400)
        #expect(try await code(event(receipt, at: end.addingTimeInterval(-5))) == nil)
        #expect(try await code(event(receipt, at: end.addingTimeInterval(2))) == "receipt_expired")
        #expect(try await code(event(receipt)) == "receipt_expired")
        // The device's clock is 20 days fast: by that clock the event happened after the expiry.
        let body = try JSONSerialization.data(withJSONObject: [
            "sent_at": Date().addingTimeInterval(20 * 86_400).formatted(.iso8601),
            "events": [event(receipt, at: Self.now.addingTimeInterval(9 * 86_400))],
        ])
        #expect(try await client.post("/v1/events", body, key: app.ingestKey).rejections() == [:])
    }

    @Test func `an app that requires receipts accepts events of deliveries only with one that names the device`()
        async throws
    {
        #expect(try await code(event(nil, ["notification_id": "n", "device_id": "d"])) == nil)
        let output = try await run(["apps", "receipts", "shop", "required"])
        #expect(output.output == "shop\treceipts required\n")
        #expect(try await run(["apps", "list"]).output == "shop\treceipts required\n")
        let bare: [String: any Sendable] = ["notification_id": "n", "device_id": "d"]
        try await waitFor("receipt_missing") { event(nil, bare) }
        let unbound = try await receipts([["notification_id": "n"]])[0]
        #expect(try await code(event(unbound, ["device_id": "d"])) == "receipt_missing")
        let bound = try await receipts([["notification_id": "n", "device_id": "d"]])[0]
        #expect(try await code(event(bound)) == nil)
        #expect(try await code(event(unbound, ["device_id": "d"], kind: "app_opened")) == nil)
        #expect(try await code(event(nil, ["device_id": "d"], kind: "app_opened")) == nil)
        #expect(try await code(event(nil, bare), key: app.sendKey) == nil)
        #expect(try await run(["apps", "receipts", "shop", "optional"]).status == 0)
        try await waitFor(nil) { event(nil, bare) }
        #expect(try await run(["apps", "receipts", "shop", "maybe"]).status == 2)
    }

    @Test func `a rotated secret verifies until it is retired, and the new one signs when all collectors know it`()
        async throws
    {
        func printed(_ arguments: [String] = []) async throws -> String {
            let output = try await run(["apps", "secret", "shop"] + arguments)
            #expect(output.status == 0 && output.error.isEmpty, "\(output.error)")
            #expect(output.output.wholeMatch(of: /[A-Za-z0-9_\-]{43}\n/) != nil, "the secret alone")
            return String(output.output.dropLast())
        }
        let order = ["notification_id": "n1", "device_id": "d1"]
        let old = try await printed()
        #expect(try await printed() == old)
        let before = try await receipts([order])[0]
        let new = try await printed(["--rotate"])
        #expect(new != old)
        #expect(try await printed() == new)
        let after = try await app.receipts([
            ReceiptClaims(
                app: "shop", notificationID: "n1", deviceID: "d1",
                issuedAt: AfterpushWire.Timestamp(microseconds: 1_700_000_000_000_000),
                expiresAt: AfterpushWire.Timestamp(microseconds: 9_000_000_000_000_000))
        ])[0]
        try await waitFor(nil) { event(after) }
        #expect(try await code(event(before)) == nil)
        // The collector signs with the old secret while others may not know the new one.
        let issued = try await receipts([order])[0]
        #expect(try await code(event(issued)) == nil)
        let days = "extract(day from max(retired_at) - now()) from afterpush.receipt_secrets"
        #expect(try await app.value("select \(days)") == "119")

        try await TestCluster.script(
            """
            update afterpush.receipt_secrets
            set retired_at = case when retired_at is not null then now() end, created_at = now() - interval '11 seconds'
            """, on: app.conninfo)
        try await waitFor("receipt_invalid") { event(before) }
        #expect(try await code(event(after)) == nil)
        #expect(try await code(event(receipts([order])[0])) == nil)

        // A leaked secret is retired immediately.
        let last = try await printed(["--rotate", "--at-once"])
        #expect(last != new)
        try await waitFor("receipt_invalid") { event(after) }
        #expect(try await code(event(receipts([order])[0])) == nil)
        #expect(try await run(["apps", "secret", "shop", "--at-once"]).status == 2)
        #expect(try await run(["apps", "secret", "nobody"]).status == 1)
        for secret in [old, new, last] { #expect(!collector.errorOutput.contains(secret)) }
    }

    @Test func `at most eight secrets verify at the same time`() async throws {
        for _ in 0..<7 { #expect(try await run(["apps", "secret", "shop", "--rotate"]).status == 0) }
        let before = try await app.receiptSecret()
        let output = try await run(["apps", "secret", "shop", "--rotate"])
        #expect(output.status == 1 && output.error.contains("--at-once") && output.output.isEmpty, "\(output.error)")
        #expect(try await app.receiptSecret() == before)
        #expect(try await run(["apps", "secret", "shop", "--rotate", "--at-once"]).status == 0)
        let good = "select count(*) from afterpush.receipt_secrets where coalesce(retired_at, 'infinity') > now()"
        #expect(try await app.value(good) == "1")
    }

    @Test func `an app gets no receipts until it has a secret`() async throws {
        try await TestCluster.script("delete from afterpush.receipt_secrets", on: app.conninfo)
        let body = Data(#"{"receipts":[{"notification_id":"n"}]}"#.utf8)
        let response = try await client.post("/v1/receipts", body, key: app.sendKey)
        #expect(response.status == 409)
        #expect(try response.json()["code"] as? String == "receipt_secret_missing")
        #expect(try await code(event("a.b.c", ["device_id": "d"])) == "receipt_invalid")
        #expect(try await run(["apps", "secret", "shop"]).output.utf8.count == 44)
        #expect(try await app.value("select count(*) from afterpush.receipt_secrets") == "1")
    }

    @Test func `only a key with the send scope gets receipts, and invalid requests are refused`() async throws {
        let body = Data(#"{"receipts":[{"notification_id":"n"}]}"#.utf8)
        for (key, status) in [(app.ingestKey, 403), (app.readKey, 403), ("nonsense", 401), (nil, 401)] {
            #expect(try await client.post("/v1/receipts", body, key: key).status == status)
        }
        let wrong = Data(#"{"receipts":[{"notification_id":"n"},{"notification_id":"n","expires_in":-5}]}"#.utf8)
        let response = try await client.post("/v1/receipts", wrong, key: app.sendKey)
        #expect(response.status == 400)
        #expect(response.headers["content-type"] == "application/problem+json")
        #expect(try response.json()["code"] as? String == "field_invalid")
        #expect((try response.json()["detail"] as? String)?.hasPrefix("receipts[1].expires_in ") == true)
        let many = try JSONSerialization.data(
            withJSONObject: ["receipts": Array(repeating: ["notification_id": "n"], count: 1_001)])
        let tooMany = try await client.post("/v1/receipts", many, key: app.sendKey)
        #expect(tooMany.status == 413)
        #expect(try tooMany.json()["code"] as? String == "limit_exceeded")
        let lines = try await client.post(
            "/v1/receipts", body, key: app.sendKey, headers: ["Content-Type": "application/x-ndjson"])
        #expect(lines.status == 415)
        #expect(try await client.post("/v1/receipts", Data("{".utf8), key: app.sendKey).status == 400)
    }

    @Test func `E52 - only the verifying role can read the secrets, and no output contains them`() async throws {
        await #expect(throws: SQLStateMatch(sqlState: "42501")) {
            do {
                try await app.database.worker.withConnection {
                    _ = try await $0.query("select secret from afterpush.receipt_secrets")
                }
            } catch { throw SQLStateMatch(error) }
        }
        let bytes = try await app.registry.receiptSecret(of: app.app)
        let receipt = try await receipts([["notification_id": "n1", "device_id": "d1"]])[0]
        var responses = ""
        for body in [
            try EventJSON.body([event(receipt), event(receipt + "x"), event(receipt, ["device_id": "other"])]),
            Data("{".utf8),
        ] {
            responses += try await client.post("/v1/events", body, key: app.ingestKey).text
        }
        // A database that refuses the query, for an app whose secrets are not cached.
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        try await TestCluster.script("revoke all on afterpush.receipt_secrets from afterpush_ingest", on: app.conninfo)
        let refused = try await client.post("/v1/receipts", Data("{\"receipts\":[]}".utf8), key: other.sendKey)
        #expect(refused.status == 503)
        #expect(
            try await client.post("/v1/events", EventJSON.body([event(receipt)]), key: other.ingestKey).status == 503)
        responses += refused.text
        await collector.stop()
        let spellings: [String] = [
            Base64URL.encode(bytes), Data(bytes).base64EncodedString(),
            bytes.map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined(),
        ]
        for spelling in spellings {
            #expect(!collector.errorOutput.contains(spelling) && !responses.contains(spelling))
        }
        #expect(!collector.errorOutput.contains(receipt))
    }
}
