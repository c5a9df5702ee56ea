import AfterpushWire
import Alerts
import Declarations
import Foundation
import Postgres
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Tests the parts of data quality reports that the model can't compute: clocks, batches, the spool, rejections and
/// late declarations.
@Suite(.serialized) struct HealthTests {
    private let app: TestApp
    private let collector: CollectorProcess
    private let client: TestClient

    init() async throws {
        app = try await TestApp()
        collector = try await CollectorProcess(conninfo: app.conninfo)
        client = TestClient(url: collector.url)
    }

    private func post(_ events: [[String: any Sendable]], _ more: [String: any Sendable] = [:]) async throws {
        let body = try JSONSerialization.data(withJSONObject: ["events": events].merging(more) { $1 })
        let response = try await client.post("/v1/events", body, key: app.sendKey)
        #expect([200, 422].contains(response.status), "\(response.text)")
    }

    private func rows(_ report: String, _ query: [(String, String)] = []) async throws -> [[String: ModelValue]] {
        try await app.waitForRollups()
        let response = try await client.get(TestClient.path("/v1/reports/\(report)", query), key: app.readKey)
        #expect(response.status == 200, "\(response.text)")
        return try ServedReport(json: response.body).rows
    }

    private func health(_ section: String, _ item: String) async throws -> [String: ModelValue] {
        let found = try await rows("health", [("min_n", "1")]).first {
            $0["section"] == .text(Identifier(section)) && $0["item"] == .text(Identifier(item))
        }
        return try #require(found)
    }

    private static func time(secondsAgo: Double) -> String {
        AfterpushWire.Timestamp(microseconds: Int64((Date().timeIntervalSince1970 - secondsAgo) * 1_000_000))
            .description
    }

    @Test func `duplicates, conflicts and rejections are counted, whether in the same request or a later one`()
        async throws
    {
        let event = EventJSON.event(["kind": "delivered", "app_version": "1"])
        let other = event.merging(["app_version": "2"]) { $1 }
        try await post([event, event, other])
        try await post([other])
        try await post([EventJSON.event(["event_id": "no"])])
        let expected = [("stored", 1), ("duplicates", 3), ("conflicts", 2), ("rejected", 1)]
        for (item, count) in expected {
            let row = try await health("intake", item)
            #expect(row["value"] == .int(count), "\(item)")
            #expect(row["n"] == .int(5))
        }
        #expect(try await health("intake", "conflicts")["flag"] == .text("conflicts"))
        await collector.stop()
    }

    @Test func `alerts know the unit of each row of health`() async throws {
        try await post([EventJSON.event()], ["sent_at": Self.time(secondsAgo: 0)])
        let health = try await rows("health")
        #expect(Set(health.compactMap { $0["section"]?.text }).count > 7, "\(health)")
        for row in health {
            let section = try #require(row["section"]?.text)
            #expect(AlertRule.unitOfHealth(section: section, item: row["item"]?.text) == row["unit"]?.text, "\(row)")
        }
        await collector.stop()
    }

    @Test func `the error of device clocks is known if a request contains sent_at`() async throws {
        let sent = Self.time(secondsAgo: 7_200)
        let late = EventJSON.event(["occurred_at": Self.time(secondsAgo: 7_260)])
        try await post([late], ["sent_at": sent])
        try await post((0..<3).map { _ in EventJSON.event() }, ["sent_at": Self.time(secondsAgo: 0)])
        try await post([EventJSON.event()])
        #expect(try await health("clock", "stated")["counted"] == .int(4))
        let corrected = try await health("clock", "corrected")
        #expect(corrected["counted"] == .int(1))
        #expect(corrected["n"] == .int(4))
        #expect(corrected["flag"] == .text("clocks_off"))
        #expect(try await health("clock", "skew_p50")["value"] == .int(0))
        guard case .int(let seconds) = try await health("clock", "skew_p99")["value"] else {
            Issue.record("no skew")
            return
        }
        #expect((7_190...7_260).contains(seconds))
        await collector.stop()
    }

    @Test func `an app version without confirmations is flagged, even if sends do not name versions`() async throws {
        var events: [[String: any Sendable]] = []
        for number in 0..<120 {
            let isBroken = number % 3 == 0
            let device: [String: any Sendable] = ["device_id": "d\(number)", "platform": "ios"]
            func add(_ kind: String, _ minutes: Int, _ fields: [String: any Sendable] = [:]) {
                let time: [String: any Sendable] = ["kind": kind, "occurred_at": "2026-11-20T10:\(10 + minutes):00Z"]
                events.append(EventJSON.event(device.merging(time) { $1 }.merging(fields) { $1 }))
            }
            add("token_registered", 0, ["app_version": isBroken ? "2.0" : "1.9", "os_version": "18.0"])
            add("sent", 5)
            if !isBroken || number % 2 == 0 { add("delivered", 6, ["app_version": isBroken ? "2.0" : "1.9"]) }
        }
        try await post(events)
        let coverage = try await rows("health").filter { $0["section"] == .text("coverage_app_version") }
        #expect(coverage.map { $0["item"] } == [.text("1.9"), .text("2.0")])
        #expect(coverage.map { $0["flag"] } == [.null, .text("low")])
        #expect(coverage.map { $0["counted"] } == [.int(80), .int(20)])
        #expect(coverage.map { $0["n"] } == [.int(80), .int(40)])
        await collector.stop()
    }

    @Test(arguments: [8, 128]) func `coverage of very many deliveries is that of some of the devices, and says so`(
        oneIn: Int
    ) async throws {
        var events: [[String: any Sendable]] = []
        for number in 0..<1_200 {
            func add(_ kind: String, _ minutes: Int, _ fields: [String: any Sendable] = [:]) {
                let event: [String: any Sendable] = [
                    "kind": kind, "device_id": "d\(number)", "platform": "ios",
                    "occurred_at": "2026-11-20T10:\(10 + minutes):00Z",
                ]
                events.append(EventJSON.event(event.merging(fields) { $1 }))
            }
            add("token_registered", 0, ["app_version": "1.\(number % 2)", "os_version": "18.0"])
            add("sent", 5, number % 4 == 0 ? ["app_version": "2.0"] : [:])
            if number % 3 == 0 { add("delivered", 6, ["app_version": "9.9"]) }
        }
        for part in 0..<4 { try await post(Array(events[(part * events.count / 4)..<((part + 1) * events.count / 4)])) }
        try await app.waitForRollups()
        try await app.superuserValue(
            """
            create or replace function afterpush.sample_of_devices(deliveries bigint, most bigint) returns integer
            language sql immutable strict parallel safe
            return \(oneIn)
            """)
        let coverage = try await rows("health").filter { $0["section"] == .text("coverage_app_version") }
        #expect(coverage.map { $0["item"] } == [.text("1.0"), .text("1.1"), .text("2.0")])
        for (row, version) in zip(coverage, ["n % 4 = 2", "n % 2 = 1", "n % 4 = 0"]) {
            for (column, condition) in [("n", version), ("counted", "\(version) and n % 3 = 0")] {
                let count = try await app.superuserValue(
                    """
                    select count(*)
                    from generate_series(0, 1199) as n
                    where (hashtextextended(('d' || n) collate "C", 0) & 1048575) < 1048576 / \(oneIn)
                      and \(condition)
                    """)
                #expect(row[column] == count.flatMap(Int.init).map { .int($0) }, "\(column) of \(row)")
            }
            #expect("\(row)".contains("; of one in \(oneIn) devices"))
        }
        await collector.stop()
    }

    @Test func `the app version is searched up to thirty days before the deliveries`() async throws {
        var events: [[String: any Sendable]] = []
        for (device, statedAt) in [("late", "2026-10-02T00:00:00Z"), ("early", "2026-10-01T23:59:59Z")] {
            let sent: [String: any Sendable] = [
                "kind": "sent", "device_id": device, "platform": "ios", "occurred_at": "2026-11-01T10:00:00Z",
            ]
            let stated: [String: any Sendable] = [
                "kind": "token_registered", "app_version": "3.0", "occurred_at": statedAt,
            ]
            events += [EventJSON.event(sent), EventJSON.event(sent.merging(stated) { $1 })]
        }
        try await post(events)
        let coverage = try await rows("health", [("from", "2026-11-01")])
            .filter { $0["section"] == .text("coverage_app_version") }
        #expect(coverage.map { $0["item"] } == [.text("3.0"), .null])
        #expect(coverage.map { $0["n"] } == [.int(1), .int(1)])
        await collector.stop()
    }

    @Test func `collectors report the content of their spools to the database`() async throws {
        let spool = CollectorProcess.spoolDirectory()
        defer { try? FileManager.default.removeItem(atPath: spool) }
        let spooling = try await CollectorProcess(conninfo: app.conninfo, spool: spool)
        try await app.waitUntil("the collector has reported") {
            try await health("spool", "waiting")["value"] == .int(0)
        }
        try await app.database.owner.withConnection { connection in
            _ = try await connection.query(
                """
                insert into afterpush.spools (collector, events, oldest_at, reported_at)
                values (gen_random_uuid(), 7, now() - interval '1 hour', now() - interval '5 minutes')
                """)
        }
        let row = try await health("spool", "waiting")
        #expect(row["value"] == .int(7))
        #expect(row["n"] == .int(2))
        #expect(row["flag"] == .text("away"))
        await spooling.stop()
        await collector.stop()
    }

    @Test func `a name that is declared later is declared for earlier events, too`() async throws {
        let names: [String: any Sendable] = [
            "campaign_id": "spring", "variant": "b", "category_id": "survey", "category_version": 1,
        ]
        try await post([
            EventJSON.event(names.merging(["kind": "action", "action_identifier": "yes"]) { $1 })
        ])
        let kinds = try await rows("undeclared").compactMap { $0["kind"] }
        #expect(kinds == ["campaign", "variant", "category", "category_version", "action"].map { .text($0) })
        var campaign = CampaignDeclaration(identifier: "spring", name: "Spring")
        campaign.variants = [.init(identifier: "b", weight: 1)]
        try await app.registry.putCampaign(campaign, app: app.app)
        let set = #"{"categories":[{"identifier":"survey","actions":[{"identifier":"yes","title":"Yes"}]}]}"#
        _ = try await app.registry.putCategories(
            try CategorySet(json: Data(set.utf8)), app: app.app,
            at: AfterpushWire.Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
        #expect(try await rows("undeclared").isEmpty)
        let declared = try await rows("actions", [("min_n", "1")]).first { $0["action_id"] == .text("yes") }
        #expect(declared?["declared"] == .bool(true))
        #expect(declared?["acted"] == .int(1))
        await collector.stop()
    }

    @Test func `the replies report contains texts only on request, and answers given once are not listed`()
        async throws
    {
        for (number, text) in ["Yes", " YES", "yes\u{A0}", "My number is 555 0100"].enumerated() {
            try await post([
                EventJSON.event([
                    "kind": "text_input", "action_identifier": "say", "user_text": text,
                    "notification_id": "n\(number)",
                ])
            ])
        }
        let answers = try await rows("replies")
        #expect(answers.map { $0["answer"] } == [.text("yes"), .null])
        #expect(answers.map { $0["count"] } == [.int(3), .int(1)])
        #expect(answers.allSatisfy { $0["text"] == nil })
        #expect(try await rows("replies", [("fewest", "1")]).map { $0["count"] } == [.int(3), .int(1)])
        let texts = try await rows("replies", [("include_text", "true")])
        #expect(Set(texts.compactMap { $0["text"] }).contains(.text(" YES")))
        #expect(texts.count == 4)
        let other = try await TestApp(named: "other", conninfo: app.conninfo)
        let foreign = try await client.get("/v1/reports/replies?include_text=true", key: other.readKey)
        #expect(try ServedReport(json: foreign.body).rows.isEmpty)
        await collector.stop()
    }

    @Test func `rejections are listed by code and day with their detail, but without typed text`() async throws {
        let reply: [String: any Sendable] = ["kind": "text_input", "user_text": "my secret text"]
        try await post([EventJSON.event(["event_id": "no"]), EventJSON.event(reply)])
        try await post([EventJSON.event(["kind": "nonsense"])])
        let rows = try await rows("rejected", [("by", "day")])
        let codes = Set(rows.compactMap { $0["code"] })
        #expect(codes == [.text("event_id_invalid"), .text("kind_mismatch"), .text("kind_unknown")])
        #expect(rows.allSatisfy { $0["events"] == .int(1) && $0["day"] != nil && $0["detail"] != .null })
        #expect(!"\(rows)".contains("secret"))
        await collector.stop()
    }
}

extension ModelValue {
    fileprivate var text: String? { if case .text(let text) = self { text.text } else { nil } }
}
