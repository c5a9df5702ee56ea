import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests campaign commands and the effect of changed campaigns on reports.
@Suite struct CampaignTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private func run(_ arguments: [String], input: String? = nil) async throws -> Program.Output {
        try await Program.run(arguments + ["--database-url", app.conninfo], input: input)
    }

    @Test func `commands put, list, show and archive a campaign`() async throws {
        let json = #"{"name":"Autumn","variants":[{"id":"a","control":true},{"id":"b"}],"response_window":"24h"}"#
        let put = try await run(["campaigns", "put", "autumn", "-", "--app", "shop"], input: json)
        #expect(put.status == 0 && put.output.hasPrefix(#"{"id":"autumn","name":"Autumn""#), "\(put)")
        #expect(put.output.contains(#""response_window":"24h","conversion_window":"24h""#), "\(put)")
        #expect(try await run(["campaigns", "list"]).output == "autumn\tAutumn\ta, b\n")
        let shown = try await run(["campaigns", "show", "autumn"])
        #expect(shown.output == put.output)
        // The output of `show` is accepted by `put`.
        #expect(try await run(["campaigns", "put", "autumn", "-"], input: shown.output).output == put.output)
        #expect(try await run(["campaigns", "archive", "autumn"]).output == "autumn\tarchived\n")
        #expect(try await run(["campaigns", "list"]).output.isEmpty)
        #expect(try await run(["campaigns", "list", "--archived"]).output == "autumn\tAutumn\ta, b\tarchived\n")
        #expect(try await run(["campaigns", "show", "autumn"]).output.contains(#""archived":true"#))
        #expect(try await app.value("select count(*) from afterpush.campaign_variants") == "2")
        for (arguments, word) in [
            (["campaigns", "show", "none"], "none"), (["campaigns", "archive", "none"], "none"),
            (["campaigns", "put", "x", "/nowhere.json"], "/nowhere.json"),
        ] {
            let output = try await run(arguments)
            #expect(output.status == 1 && output.error.contains(word) && output.output.isEmpty, "\(output)")
        }
        let wrong = try await run(["campaigns", "put", "x", "-"], input: #"{"variants":[{"weight":1}]}"#)
        #expect(wrong.status == 1 && wrong.error.contains("campaign.variants[0].id"), "\(wrong)")
    }

    @Test func `reports after a change of goals and window equal those after a rebuild`() async throws {
        let collector = try await CollectorProcess(conninfo: app.conninfo)
        let client = TestClient(url: collector.url)
        let manageKey = try await app.registry.createKey(app: app.app, scope: .manage)
        func put(_ json: String) async throws {
            let response = try await client.put("/v1/campaigns/c", Data(json.utf8), key: manageKey)
            #expect(response.status == 200, "\(response.text)")
        }
        /// The campaign's counts converted, no response, pending and closed.
        func counts() async throws -> [Int] {
            let response = try await client.get("/v1/reports/conversion?by=campaign&min_n=1", key: app.readKey)
            let row = (try response.json()["rows"] as? [[String: Any]])?.first
            return ["converted", "no_response", "pending", "closed_n"].map { row?[$0] as? Int ?? -1 }
        }
        func expect(_ expected: [Int], _ when: Comment) async throws {
            #expect(try await counts() == expected, when)
            try await app.maintenance.rebuild()
            #expect(try await counts() == expected, "\(when), rebuilt")
            #expect(try await app.maintenance.verify().isEmpty)
        }
        try await put(#"{"goal_actions":["book"],"response_window":"72h"}"#)
        var events: [[String: any Sendable]] = []
        for (index, action) in ["book", "later", nil, nil].enumerated() {
            // The last delivery is older than the first window, the others are older than the second.
            let time = Date(timeIntervalSinceNow: index == 3 ? -96 * 3_600 : -30 * 3_600).formatted(.iso8601)
            let fields: [String: any Sendable] = [
                "device_id": "d\(index)", "campaign_id": "c", "occurred_at": time,
            ]
            events.append(EventJSON.event(fields.merging(["kind": "sent"]) { $1 }))
            guard let action else { continue }
            events.append(EventJSON.event(fields.merging(["kind": "action", "action_identifier": action]) { $1 }))
        }
        #expect(try await client.post("/v1/events", EventJSON.body(events), key: app.sendKey).status == 200)
        try await app.waitForRollups()
        try await expect([1, 1, 1, 1], "as first declared")
        try await put(#"{"goal_actions":["later","book"],"response_window":"24h"}"#)
        try await expect([2, 2, 0, 4], "with another goal and a shorter window")
        try await put(#"{"goal_actions":["nothing"],"response_window":"30d"}"#)
        try await expect([0, 0, 2, 0], "with a goal without conversions and a longer window")
        try await put(#"{"archived":true,"goal_actions":["book"],"response_window":"72h"}"#)
        try await expect([1, 1, 1, 1], "archived, as first declared")
        await collector.stop()
    }
}
