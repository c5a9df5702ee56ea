import AfterpushWire
import Declarations
import Foundation
import Receipts
import Storage
import TestSupport
import Testing

/// Tests the payload check over HTTP and on the command line, with the declarations of an app.
@Suite struct PayloadRouteTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
        let file = Program.root.appending(path: "Tests/CollectorTests/Fixtures/notification-config.json")
        let set = try CategorySet(json: try Data(contentsOf: file))
        _ = try await app.registry.putCategories(set, app: app.app, at: .init(microseconds: 1_790_000_000_000_000))
        var campaign = CampaignDeclaration(identifier: "spring-2026", name: "Spring")
        campaign.variants = [.init(identifier: "a", isControl: true), .init(identifier: "b")]
        try await app.registry.putCampaign(campaign, app: app.app)
    }

    private static let rich = """
        {"aps":{"alert":{"title":"Title","subtitle":"Subtitle","body":"Body"},"badge":1,"sound":"default",\
        "category":"flash-sale","mutable-content":1},"msgid":"123","campaign":"spring-2026",\
        "media":{"type":"image","url":"https://example.com/poster.jpg"}}
        """

    private static func codes(_ document: [String: Any], _ severity: String? = nil) -> Set<String> {
        let findings = document["findings"] as? [[String: String]] ?? []
        return Set(findings.filter { severity == nil || $0["severity"] == severity }.compactMap { $0["code"] })
    }

    @Test func `a payload is returned with a receipt that makes events verified`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let path = "/v1/payloads/check?device_id=d-1&variant=b"
        let response = try await client.post(path, Data(Self.rich.utf8), key: app.sendKey)
        #expect(response.status == 200, "\(response.text)")
        let document = try response.json()
        #expect(Self.codes(document, "error").isEmpty)
        #expect(Self.codes(document, "warning") == ["receipt_missing"], "\(response.text)")
        #expect(
            Self.codes(document, "info").isSuperset(of: [
                "provider_recognised", "notification_id_present", "category_known", "dismiss_observable",
                "delivery_confirmable", "campaign_known", "variant_known", "size_fits",
            ]))
        let payload = try #require(document["payload"] as? [String: Any])
        #expect(payload["campaign_id"] as? String == "spring-2026" && payload["variant"] as? String == "b")
        let aps = payload["aps"] as? [String: Any]
        #expect(payload["msgid"] as? String == "123" && aps?["category"] as? String == "flash-sale")

        let receipt = try #require(payload["afterpush"] as? String)
        let event: [String: any Sendable] = [
            "event_id": UUID().uuidString, "kind": "opened", "occurred_at": Date().formatted(.iso8601),
            "receipt": receipt,
        ]
        let posted = try await client.post("/v1/events", EventJSON.body([event]), key: app.ingestKey)
        #expect(posted.status == 200, "\(posted.text)")
        #expect(
            try await app.value(
                "select concat_ws(' ', notification_id, device_id, campaign_id, variant, category_id, verified) "
                    + "from afterpush.events") == "123 d-1 spring-2026 b flash-sale t")
        // A completed payload needs no further change.
        let text = String(decoding: try JSONSerialization.data(withJSONObject: payload), as: UTF8.self)
        let again = try await client.post("/v1/payloads/check", Data(text.utf8), key: app.sendKey).json()
        #expect(Self.codes(again, "warning").isEmpty && Self.codes(again).contains("receipt_valid"))
        #expect((again["payload"] as? [String: Any])?["afterpush"] as? String == receipt)
        // For another app the receipt is invalid.
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let foreign = try await client.post("/v1/payloads/check", Data(text.utf8), key: other.sendKey).json()
        #expect(Self.codes(foreign, "error") == ["receipt_invalid"])
        #expect(Self.codes(foreign, "warning").isSuperset(of: ["category_unknown", "campaign_unknown"]))
        await collector.stop()
    }

    @Test func `payloads of several providers are checked, and invalid requests are refused with a code`() async throws
    {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        func check(_ json: String, _ query: String = "", key: String? = nil) async throws -> TestClient.Response {
            try await client.post("/v1/payloads/check" + query, Data(json.utf8), key: key ?? app.sendKey)
        }
        for (json, expected) in [
            (#"{"aps":{"alert":"Welcome","category":"survey"}}"#, ["dismiss_not_observable", "delivery_unconfirmed"]),
            (##"{"aps":{"alert":"New","mutable-content":1},"encrypted-content":"#opaque"}"##, ["category_missing"]),
            (#"{"message":{"token":"t","notification":{"title":"x"}}}"#, ["delivery_unconfirmed"]),
            (#"{"title":"x","actions":[{"action":"book","title":"Book"}]}"#, ["category_missing"]),
        ] {
            let response = try await check(json)
            let codes = Self.codes(try response.json())
            #expect(response.status == 200 && codes.isSuperset(of: expected), "\(response.text)")
        }
        for (json, query, status, code) in [
            ("{", "", 400, "body_malformed"), ("[]", "", 400, "invalid_json_type"), ("", "", 400, "body_malformed"),
            (#"{"a":""# + String(repeating: "x", count: 70_000) + "\"}", "", 413, "limit_exceeded"),
            ("{}", "?campaign=x", 400, "field_invalid"),
            ("{}", "?campaign_id=" + String(repeating: "x", count: 300), 400, "field_too_long"),
        ] {
            let response = try await check(json, query)
            #expect(response.status == status, "\(response.text)")
            #expect(response.headers["content-type"] == "application/problem+json")
            #expect(try response.json()["code"] as? String == code, "\(response.text)")
        }
        for (key, status) in [(app.ingestKey, 403), (app.readKey, 403), ("nonsense", 401)] {
            #expect(try await check("{}", key: key).status == status)
        }
        try await app.registry.setReceiptPolicy(.required, of: app.app)
        try await app.waitUntil("receipts are required") {
            Self.codes(try await check(Self.rich).json(), "error") == ["receipt_required"]
        }
        await collector.stop()
    }

    @Test func `the documentation lists every code`() throws {
        let page = try String(
            contentsOf: Program.root.appending(path: "docs/payloads-and-receipts.md"), encoding: .utf8)
        for code in PayloadFinding.Code.allCases { #expect(page.contains("`\(code.rawValue)`"), "\(code.rawValue)") }
    }

    @Test func `the command prints the same result, and fails if it contains an error`() async throws {
        func run(_ arguments: [String], _ input: String) async throws -> Program.Output {
            try await Program.run(
                ["payload", "check"] + arguments + ["--app", "shop", "--database-url", app.conninfo], input: input)
        }
        let output = try await run(["-", "--device", "d-1", "--variant", "a", "--notification", "n-9"], Self.rich)
        #expect(output.status == 0, "\(output.error)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(output.output.utf8)) as? [String: Any])
        #expect(Self.codes(document, "warning") == ["receipt_missing"])
        let receipt = try #require((document["payload"] as? [String: Any])?["afterpush"] as? String)
        #expect(receipt.split(separator: ".").count == 3)
        let bad = try await run([], #"{"aps":{},"afterpush":"x"}"#)
        #expect(bad.status == 1 && bad.output.contains("receipt_invalid") && bad.error.isEmpty, "\(bad)")
        let broken = try await run([], "[")
        #expect(broken.status == 1 && broken.output.isEmpty, "\(broken)")
        #expect(broken.error.hasPrefix("afterpush: the payload can't be read as JSON: "), "\(broken)")
    }
}
