import AfterpushWire
import Events
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

/// Tests the number of names that an app accepts (E55): all declared ones and a quota of others.
@Suite struct NameLimitTests {
    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private func event(_ fields: [String: any Sendable]) -> [String: any Sendable] {
        EventJSON.event(["notification_id": UUID().uuidString].merging(fields) { $1 })
    }

    private func campaigns(_ numbers: Range<Int>, _ prefix: String = "c") -> [[String: any Sendable]] {
        numbers.map { event(["campaign_id": "\(prefix)\($0)"]) }
    }

    private func post(
        _ events: [[String: any Sendable]], _ collector: CollectorProcess, key: String? = nil
    ) async throws -> (accepted: Int, codes: [String]) {
        let response = try await TestClient(url: collector.url).post(
            "/v1/events", EventJSON.body(events), key: key ?? app.ingestKey)
        #expect(response.status == 200 || response.status == 422, "\(response.text)")
        return (try response.json()["accepted"] as? Int ?? -1, Array(try response.rejections().values))
    }

    private func put(_ path: String, _ json: String, _ collector: CollectorProcess) async throws -> TestClient.Response
    {
        let key = try await app.registry.createKey(app: app.app, scope: .manage)
        return try await TestClient(url: collector.url).put(path, Data(json.utf8), key: key)
    }

    @Test func `E55: an undeclared name over the quota rejects its event, and known and declared names are accepted`()
        async throws
    {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_LIMITS_CAMPAIGNS": "50"])
        #expect(try await post(campaigns(0..<50), collector).accepted == 50)
        let flood = try await post(campaigns(50..<5_000), collector)
        #expect(flood.accepted == 0 && flood.codes.count == 4_950)
        #expect(Set(flood.codes) == ["limit_exceeded"])
        #expect(
            try await app.value("select count(*) from afterpush.rejected_events where code = 'limit_exceeded'")
                == "4950")
        #expect(try await app.value("select count(*) from afterpush.undeclared_names") == "50")
        #expect(try await post(campaigns(0..<60), collector).accepted == 50)
        #expect(try await post([event([:])], collector).accepted == 1)
        // The server has a separate quota, which devices can't exhaust.
        #expect(try await post(campaigns(100..<102), collector, key: app.sendKey).accepted == 2)
        // A declared name is accepted immediately and makes room for another one.
        #expect(try await put("/v1/campaigns/c200", "{}", collector).status == 200)
        #expect(try await put("/v1/campaigns/c0", "{}", collector).status == 200)
        #expect(try await post(campaigns(200..<201) + campaigns(0..<1), collector).accepted == 2)
        #expect(try await post(campaigns(300..<303), collector).accepted == 1)
        try await app.waitForRollups()
        #expect(
            try await app.value(
                "select count(distinct campaign_id) from afterpush.rollup_deliveries where campaign_id <> ''")
                == "54")
        await collector.stop()
    }

    @Test(arguments: [
        ("VARIANTS", "variant", ["campaign_id": "c"]), ("CATEGORIES", "category_id", [:]),
        ("VERSIONS", "category_version", ["category_id": "k"]),
        ("ACTIONS", "action_identifier", ["kind": "action"]), ("APP_VERSIONS", "app_version", [:]),
    ])
    func `E55: every kind of name has its own quota`(setting: String, field: String, more: [String: String])
        async throws
    {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_LIMITS_\(setting)": "3"])
        let events = (1...20).map { number in
            var event = event(more)
            let value: any Sendable = field == "category_version" ? number : "\(number)"
            event[field] = value
            return event
        }
        let outcome = try await post(events, collector)
        #expect(outcome.accepted == 3 && outcome.codes == Array(repeating: "limit_exceeded", count: 17))
        await collector.stop()
    }

    @Test func `E55: several collectors together accept no more names than the quota`() async throws {
        var limits = NameLimits()
        limits.campaigns = 100
        let context = ValidationContext(appID: app.app.id, scope: .ingest, receivedAt: .init(microseconds: Self.now))
        let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
            for turn in 0..<4 {
                let sink = PostgresSink(pool: app.database.ingest, limits: limits, logger: TestCluster.logger)
                let bodies = try (0..<10).map { part in
                    try EventJSON.body(campaigns(turn * 40 + part * 20..<turn * 40 + part * 20 + 30))
                }
                group.addTask {
                    var accepted = 0
                    for body in bodies {
                        let submission = try Submission.read(Array(body), as: .json)
                        accepted += try await sink.store(EventGroup([PendingSubmission(submission, context)]))[0]
                            .accepted
                    }
                    return accepted
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(accepted >= 100)
        #expect(try await app.value("select count(*) from afterpush.undeclared_names") == "100")
        #expect(try await app.value("select count(distinct campaign_id) from afterpush.events") == "100")
    }

    @Test func `E55: a declaration over a limit is refused with its code, and nothing is stored`() async throws {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: [
                "AFTERPUSH_LIMITS_CAMPAIGNS": "2", "AFTERPUSH_LIMITS_VARIANTS": "1", "AFTERPUSH_LIMITS_CATEGORIES": "2",
                "AFTERPUSH_LIMITS_ACTIONS": "2", "AFTERPUSH_LIMITS_VERSIONS": "2",
            ])
        func expectRefused(_ path: String, _ json: String, _ word: String) async throws {
            let response = try await put(path, json, collector)
            #expect(response.status == 400, "\(response.text)")
            #expect(try response.json()["code"] as? String == "limit_exceeded")
            #expect((try response.json()["detail"] as? String)?.contains(word) == true, "\(response.text)")
        }
        func category(_ id: String, _ actions: [String] = []) -> String {
            let actions = actions.map { #"{"identifier":"\#($0)"}"# }.joined(separator: ",")
            return #"{"identifier":"\#(id)","actions":[\#(actions)]}"#
        }
        func set(_ categories: String...) -> String { #"{"categories":[\#(categories.joined(separator: ","))]}"# }
        for id in ["a", "b", "a"] { #expect(try await put("/v1/campaigns/\(id)", "{}", collector).status == 200) }
        try await expectRefused("/v1/campaigns/c", "{}", "2 campaigns")
        try await expectRefused("/v1/campaigns/a", #"{"variants":[{"id":"x"},{"id":"y"}]}"#, "1 variants")
        #expect(try await put("/v1/campaigns/a", #"{"archived":true}"#, collector).status == 200)
        #expect(try await put("/v1/campaigns/c", "{}", collector).status == 200)

        #expect(
            try await put("/v1/categories", set(category("a", ["x", "y"]), category("b")), collector).status == 200)
        try await expectRefused("/v1/categories", set(category("a"), category("c")), "2 categories")
        try await expectRefused("/v1/categories", set(category("a", ["x", "y", "z"])), "2 actions")
        #expect(try await put("/v1/categories", set(category("a", ["x"])), collector).status == 200)
        try await expectRefused("/v1/categories", set(category("a", ["y"])), "2 versions")
        #expect(
            try await app.value("select string_agg(distinct category_id, '') from afterpush.categories") == "ab")

        let sends = (0..<4).map { number -> [String: any Sendable] in
            [
                "send_id": UUID().uuidString, "campaign_id": "s\(number)", "count": 1, "sent_at": EventJSON.occurredAt,
            ]
        }
        let response = try await TestClient(url: collector.url).post(
            "/v1/sends", JSONSerialization.data(withJSONObject: ["sends": sends]), key: app.sendKey)
        #expect(response.status == 400 && response.text.contains("sends[2].campaign_id"), "\(response.text)")
        #expect(try await app.value("select count(*) from afterpush.sends") == "0")
        await collector.stop()
    }

    private static let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
}
