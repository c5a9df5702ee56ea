import AfterpushWire
import Events
import Foundation
import Ingest
import Postgres
import Spool
import Storage
import TestSupport
import Testing

/// Tests the number of names that an app stores (E55): all declared ones and a quota of others.
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

    /// The names of a kind in stored events, and the number of events for each; "-" is unknown.
    private func stored(_ column: String, where condition: String = "true") async throws -> [String: Int] {
        let rows = try await app.database.owner.withConnection { connection in
            try await connection.query(
                """
                select coalesce(\(column)::text, '-'), count(*) from afterpush.events where \(condition) group by 1
                """
            ).map { try $0.decode(String.self, Int64.self) }
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0, Int($0.1)) })
    }

    /// The counts of the section `past_limit` of the report `health`, without zeros.
    private func pastLimit(_ collector: CollectorProcess) async throws -> [String: Int] {
        try await app.waitForRollups()
        let response = try await TestClient(url: collector.url).get("/v1/reports/health", key: app.readKey)
        let rows = try #require(try response.json()["rows"] as? [[String: Any]])
        var counts: [String: Int] = [:]
        for row in rows where row["section"] as? String == "past_limit" {
            guard let item = row["item"] as? String, let count = row["counted"] as? Int, count > 0 else { continue }
            #expect(row["flag"] as? String == "past_limit")
            counts[item] = count
        }
        return counts
    }

    private func conflicts() async throws -> String? {
        try await app.value("select sum(conflicts) from afterpush.batches")
    }

    @Test func `E55: an event with a name over the quota is stored without it, and known and declared names are kept`()
        async throws
    {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_LIMITS_CAMPAIGNS": "50"])
        #expect(try await post(campaigns(0..<50), collector).accepted == 50)
        let flood = try await post(campaigns(50..<5_000), collector)
        #expect(flood.accepted == 4_950 && flood.codes == [])
        #expect(try await app.value("select count(*) from afterpush.rejected_events") == "0")
        #expect(try await app.value("select count(*) from afterpush.undeclared_names") == "50")
        #expect(try await stored("campaign_id")["-"] == 4_950)
        #expect(try await pastLimit(collector) == ["campaign": 4_950])
        #expect(try await post(campaigns(0..<60), collector).accepted == 60)
        #expect(try await stored("campaign_id")["-"] == 4_960)
        // The server has a separate quota, which devices can't exhaust.
        #expect(try await post(campaigns(100..<102), collector, key: app.sendKey).accepted == 2)
        #expect(try await stored("campaign_id", where: "verified") == ["c100": 1, "c101": 1])
        // A declared name is accepted immediately and makes room for another one.
        #expect(try await put("/v1/campaigns/c200", "{}", collector).status == 200)
        #expect(try await put("/v1/campaigns/c0", "{}", collector).status == 200)
        #expect(try await post(campaigns(200..<201) + campaigns(0..<1), collector).accepted == 2)
        #expect(try await post(campaigns(300..<303), collector).accepted == 3)
        let campaigns = try await stored("campaign_id")
        #expect(campaigns["c200"] == 1 && campaigns["c0"] == 3)
        #expect([300, 301, 302].compactMap { campaigns["c\($0)"] } == [1])
        #expect(campaigns["-"] == 4_962)
        try await app.waitForRollups()
        #expect(
            try await app.value(
                "select count(distinct campaign_id) from afterpush.rollup_deliveries where campaign_id <> ''")
                == "54")
        let metrics = try await TestClient(url: collector.url).get("/metrics", key: app.readKey).text
        #expect(metrics.contains("afterpush_names_past_limit_total{kind=\"campaign\"} 4962\n"))
        #expect(metrics.contains("afterpush_names_past_limit_total{kind=\"variant\"} 0\n"))
        await collector.stop()
    }

    @Test(arguments: [
        ("VARIANTS", "variant", "variant", ["campaign_id": "c"]), ("CATEGORIES", "category", "category_id", [:]),
        ("VERSIONS", "category_version", "category_version", ["category_id": "k"]),
        ("ACTIONS", "action", "action_identifier", ["kind": "action"]),
        ("APP_VERSIONS", "app_version", "app_version", [:]),
    ])
    func `E55: every kind of name has its own quota`(
        setting: String, kind: String, field: String, more: [String: String]
    ) async throws {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_LIMITS_\(setting)": "3"])
        func events(_ numbers: ClosedRange<Int>) -> [[String: any Sendable]] {
            numbers.map { number in
                var event = event(more)
                let value: any Sendable = field == "category_version" ? number : "\(number)"
                event[field] = value
                return event
            }
        }
        let unknown = field == "action_identifier" ? "(other)" : "-"
        #expect(try await post(events(1...20), collector).accepted == 20)
        let stored = try await stored(field)
        #expect(stored.count == 4 && stored[unknown] == 17)
        #expect(try await pastLimit(collector) == [kind: 17])
        // What the server states has ten times the room, whatever devices have used up.
        #expect(try await post(events(101...140), collector, key: app.sendKey).accepted == 40)
        let vouched = try await self.stored(field, where: "verified")
        #expect(vouched.count == 31 && vouched[unknown] == 10)
        await collector.stop()
    }

    @Test func `E55: made-up app versions cost no event of the next release, and one event of the server admits it`()
        async throws
    {
        let collectors = [
            try await CollectorProcess(conninfo: app.conninfo), try await CollectorProcess(conninfo: app.conninfo),
        ]
        for _ in 0..<3 {
            let flood = (0..<1_000).map { _ in event(["app_version": UUID().uuidString]) }
            let outcome = try await post(flood, collectors[0])
            #expect(outcome.accepted == 1_000 && outcome.codes == [])
        }
        let early = event(["app_version": "9.9.9", "kind": "delivered"])
        let other = event(["app_version": "9.9.9", "kind": "delivered"])
        #expect(try await post([early], collectors[0]).accepted == 1)
        #expect(try await post([other], collectors[1]).accepted == 1)
        #expect(try await stored("app_version")["9.9.9"] == nil)
        #expect(try await stored("app_version")["-"] == 1_002)
        #expect(try await pastLimit(collectors[1]) == ["app_version": 1_002])

        #expect(try await post([event(["app_version": "9.9.9"])], collectors[0], key: app.sendKey).accepted == 1)
        for collector in collectors.reversed() {
            #expect(try await post([event(["app_version": "9.9.9"])], collector).accepted == 1)
        }
        #expect(try await stored("app_version")["9.9.9"] == 3)
        // What is stored stays: events that come again are duplicates, and no conflicts.
        for (event, collector) in [(early, collectors[1]), (other, collectors[0]), (early, collectors[0])] {
            #expect(try await post([event], collector).accepted == 0)
        }
        #expect(try await stored("app_version")["9.9.9"] == 3)
        #expect(try await app.value("select sum(duplicates) from afterpush.batches") == "3")
        #expect(try await conflicts() == "0")
        for collector in collectors { await collector.stop() }
    }

    @Test func `E55: a device with a receipt can use up neither the server's names nor those in receipts`()
        async throws
    {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: ["AFTERPUSH_LIMITS_APP_VERSIONS": "2", "AFTERPUSH_LIMITS_CAMPAIGNS": "1"])
        func receipt(_ campaign: String?) async throws -> String {
            let now = AfterpushWire.Timestamp(microseconds: Self.now)
            return try await app.receipts([
                ReceiptClaims(
                    app: "shop", notificationID: "n1", deviceID: "d1", issuedAt: now,
                    expiresAt: .init(microseconds: Self.now + 86_400_000_000), campaignID: campaign)
            ])[0]
        }
        let own = try await receipt(nil)
        let flood = (0..<40).map { number in
            EventJSON.event(["receipt": own, "app_version": "\(number)", "campaign_id": "c\(number)"])
        }
        #expect(try await post(flood, collector).accepted == 40)
        #expect(try await stored("app_version").count == 21)
        #expect(try await stored("campaign_id").count == 11)
        let issued = try await receipt("spring")
        #expect(try await post([EventJSON.event(["receipt": issued])], collector).accepted == 1)
        #expect(try await post([event(["app_version": "9.9.9"])], collector, key: app.sendKey).accepted == 1)
        #expect(try await post([event(["app_version": "9.9.9", "campaign_id": "spring"])], collector).accepted == 1)
        #expect(try await stored("campaign_id")["spring"] == 2)
        #expect(try await stored("app_version")["9.9.9"] == 2)
        await collector.stop()
    }

    @Test func `E55: a name of the server makes room for a made-up one, and names below unknown ones take no room`()
        async throws
    {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_LIMITS_CAMPAIGNS": "2"])
        for number in 0..<3 { #expect(try await post(campaigns(number..<number + 1), collector).accepted == 1) }
        #expect(try await post(campaigns(0..<1), collector, key: app.sendKey).accepted == 1)
        for number in 3..<5 { #expect(try await post(campaigns(number..<number + 1), collector).accepted == 1) }
        #expect(try await stored("campaign_id") == ["c0": 2, "c1": 1, "c3": 1, "-": 2])
        let below = (0..<20).map { event(["campaign_id": "x\($0)", "variant": "a"]) }
        #expect(try await post(below, collector).accepted == 20)
        #expect(try await stored("variant") == ["-": 26])
        #expect(try await app.value("select count(*) from afterpush.undeclared_names") == "3")
        #expect(try await pastLimit(collector) == ["campaign": 22, "variant": 20])
        await collector.stop()
    }

    @Test func `E55: a variant that is no longer declared stays allowed`() async throws {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_LIMITS_VARIANTS": "2"])
        #expect(try await put("/v1/campaigns/c", #"{"variants":[{"id":"a"},{"id":"b"}]}"#, collector).status == 200)
        #expect(try await put("/v1/campaigns/c", #"{"variants":[{"id":"a"}]}"#, collector).status == 200)
        for variant in ["x", "y", "z", "b"] {
            #expect(try await post([event(["campaign_id": "c", "variant": variant])], collector).accepted == 1)
        }
        #expect(try await stored("variant") == ["x": 1, "y": 1, "-": 1, "b": 1])
        await collector.stop()
    }

    @Test func `E55: an event that comes again with a name past its limit is a duplicate, other differences conflict`()
        async throws
    {
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: ["AFTERPUSH_LIMITS_CAMPAIGNS": "1", "AFTERPUSH_LIMITS_ACTIONS": "1"])
        let kept = event(["campaign_id": "a", "kind": "action", "action_identifier": "go"])
        let limited = event([
            "campaign_id": "b", "variant": "v", "kind": "action", "action_identifier": "stop", "locale": "de",
        ])
        #expect(try await post([kept], collector).accepted == 1)
        #expect(try await post([limited, limited], collector).accepted == 1)
        #expect(try await post([limited, kept], collector).accepted == 0)
        // Now the name of the first one is past its limit: an administrator has removed it.
        try await app.superuserValue("update afterpush.undeclared_names set name = 'made up'")
        let second = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: ["AFTERPUSH_LIMITS_CAMPAIGNS": "1", "AFTERPUSH_LIMITS_ACTIONS": "1"])
        #expect(try await post([limited, kept], second).accepted == 0)
        // And now the server has stated all names.
        let names: [String: any Sendable] = ["campaign_id": "b", "kind": "action", "action_identifier": "stop"]
        #expect(try await post([event(names)], second, key: app.sendKey).accepted == 1)
        #expect(try await post([limited, kept], second).accepted == 0)
        #expect(try await stored("action_identifier") == ["go": 1, "(other)": 1, "stop": 1])
        #expect(try await conflicts() == "0")
        let changed = limited.merging(["locale": "fr"]) { $1 }
        #expect(try await post([changed], second).accepted == 0)
        #expect(try await conflicts() == "1")
        let renamed = kept.merging(["app_version": "1"]) { $1 }
        #expect(try await post([renamed], second).accepted == 0)
        #expect(try await conflicts() == "2")
        await collector.stop()
        await second.stop()
    }

    @Test func `E55: several collectors together store no more names than the quota`() async throws {
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
        #expect(accepted == 4 * 10 * 30)
        #expect(try await app.value("select count(*) from afterpush.undeclared_names") == "100")
        #expect(try await app.value("select count(distinct campaign_id) from afterpush.events") == "100")
    }

    @Test func `E55: events that wait in the spool, and imported ones, have the same limits`() async throws {
        var limits = NameLimits()
        limits.campaigns = 2
        let sink = PostgresSink(pool: app.database.ingest, limits: limits, logger: TestCluster.logger)
        let context = ValidationContext(appID: app.app.id, scope: .ingest, receivedAt: .init(microseconds: Self.now))
        let body = try EventJSON.body(campaigns(0..<5))
        let group = EventGroup([PendingSubmission(try Submission.read(Array(body), as: .json), context)])
        let spooled = EventGroup(
            try group.packed(limit: 60_000).map { try PendingSubmission(SpoolEntry($0.bytes[...])) })
        // The commit of the first attempt was in doubt, so the group is replayed, when the server has stated the rest.
        #expect(try await sink.store(group)[0].accepted == 5)
        try await app.store(campaigns(0..<5))
        let outcome = try await sink.store(spooled)[0]
        #expect(outcome.accepted == 0 && outcome.duplicates == 5)
        #expect(try await stored("campaign_id", where: "not verified").count == 3)
        #expect(try await stored("campaign_id", where: "not verified")["-"] == 3)

        let settings = ["AFTERPUSH_LIMITS_CAMPAIGNS": "1", "AFTERPUSH_DATABASE_URL": app.conninfo]
        let exported = try await Program.run(
            ["export", "events", "--app", "shop", "--format", "csv"], environment: settings)
        let copy = try await TestApp(named: "copy", conninfo: app.conninfo)
        for (name, summary) in [("copy", "stored 10, duplicates 0"), ("copy", "stored 0, duplicates 10")] {
            let imported = try await Program.run(
                ["import", "-", "--app", name, "--dialect", "csv"], input: exported.output, environment: settings)
            #expect(imported.output.hasPrefix(summary), "\(imported.output) \(imported.error)")
        }
        let past = "names_past_limit = '{campaign}' and campaign_id is null and not verified"
        #expect(
            try await app.value(
                "select count(*) from afterpush.events where app_id = \(copy.app.id) and \(past)") == "3")
        #expect(try await conflicts() == "0")
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
        // Such lists are refused before their entries are read.
        try await expectRefused("/v1/categories", set("0", "0", "0"), "2 categories")
        #expect(try await put("/v1/categories", set(category("a", ["x"])), collector).status == 200)
        try await expectRefused("/v1/categories", set(category("a", ["y"])), "2 versions")
        #expect(
            try await app.value("select string_agg(distinct category_id, '') from afterpush.categories") == "ab")

        // Declared sends are the server's, so they may use ten times as many undeclared names.
        let sends = (0..<22).map { number -> [String: any Sendable] in
            [
                "send_id": UUID().uuidString, "campaign_id": "s\(number)", "count": 1, "sent_at": EventJSON.occurredAt,
            ]
        }
        let response = try await TestClient(url: collector.url).post(
            "/v1/sends", JSONSerialization.data(withJSONObject: ["sends": sends]), key: app.sendKey)
        #expect(response.status == 400 && response.text.contains("sends[20].campaign_id"), "\(response.text)")
        #expect(try await app.value("select count(*) from afterpush.sends") == "0")
        await collector.stop()
    }

    private static let now = Int64(Date().timeIntervalSince1970 * 1_000_000)
}
