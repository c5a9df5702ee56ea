import AfterpushWire
import Events
import Foundation
import SeededRandom
import Storage
import TestSupport
import Testing

/// Tests that unverified events change nothing that verified ones say, also while hours are sealed, and events and
/// deliveries are deleted.
///
/// Two apps get the same verified events; one of them gets unverified events as well.
@Suite struct SealedForgerTests {
    private static let day: Int64 = 86_400_000_000
    /// The ages, in days, that events and receipts have: in each of the months that are sealed, and after them.
    private static let ages: [Int64] = [130, 100, 75, 66, 40, 3, 1, 0]

    private let genuine: TestApp
    private let forged: TestApp
    private let now = Int64(Date().timeIntervalSince1970 * 1_000_000)

    init() async throws {
        genuine = try await TestApp(named: "genuine")
        forged = try await TestApp(named: "forged", conninfo: genuine.conninfo)
        try await TestCluster.script(
            "select afterpush.ensure_partitions(now(), 6, 1)", on: genuine.conninfo)
    }

    private static func uuid(_ random: inout SeededGenerator) -> String {
        func hex(_ digits: Int) -> String {
            (0..<digits).map { _ in String(Int.random(in: 0..<16, using: &random), radix: 16) }.joined()
        }
        return "\(hex(8))-\(hex(4))-4\(hex(3))-8\(hex(3))-\(hex(12))"
    }

    /// An event of one of some deliveries that is younger than an age.
    private func event(_ kinds: [String], younger age: Int64, _ random: inout SeededGenerator) -> [String: any Sendable]
    {
        let kind = kinds.randomElement(using: &random) ?? "opened"
        let days = Self.ages.filter { $0 < age }.randomElement(using: &random) ?? 0
        let at = now - days * Self.day - Int64.random(in: 0..<Self.day / 2, using: &random)
        var event = EventJSON.event([
            "kind": kind, "device_id": "d\(Int.random(in: 0..<3, using: &random))",
            "notification_id": "n\(Int.random(in: 0..<2, using: &random))",
            "event_id": Self.uuid(&random),
            "occurred_at": AfterpushWire.Timestamp(microseconds: at).description,
        ])
        if kind == "action" || kind == "text_input" { event["action_identifier"] = "book" }
        if kind == "text_input" { event["user_text"] = "text" }
        if kind == "converted" { event.merge(["name": "order", "value": 5, "currency": "EUR"]) { $1 } }
        for (name, values) in [("campaign_id", ["c1", "c2"]), ("category_id", ["k1", "k2"]), ("platform", ["ios"])]
        where Bool.random(using: &random) {
            event[name] = values.randomElement(using: &random)
        }
        return event
    }

    /// A receipt for an event, issued at any time.
    private func receipt(for event: [String: any Sendable], of app: TestApp, issued days: Int64) async throws -> String
    {
        let receipts = try await app.receipts([
            ReceiptClaims(
                app: app.app.name, notificationID: event["notification_id"] as? String ?? "",
                deviceID: event["device_id"] as? String,
                issuedAt: AfterpushWire.Timestamp(microseconds: now - days * Self.day),
                expiresAt: AfterpushWire.Timestamp(microseconds: now + Self.day), campaignID: "c1")
        ])
        return receipts[0]
    }

    private func rollUp() async throws {
        try await genuine.rollUp()
        try await forged.rollUp()
    }

    /// What reports with `verified=true` are computed from.
    private func verified(_ app: TestApp) async throws -> [String] {
        let sources = [
            "rollup_delivery_days", "rollup_action_days", "rollup_response_days", "rollup_campaign_days",
            "rollup_goal_days", "rollup_values", "rollup_events", "rollup_event_hours",
        ].map { "select '\($0)' as source, to_jsonb(r) as counts, app_id, verified from afterpush.\($0) as r" }
        // A key can have two rows: of deliveries that count alike with and without unverified events, and of others.
        let byHour = """
            select 'hours', jsonb_build_object(
                'hour', anchor_hour, 'version', app_version, 'actions', actions, 'deliveries', sum(deliveries),
                'opened', sum(opened), 'responded', sum(responded), 'converted', sum(converted_events)
            ), app_id, verified
            from afterpush.rollup_app_versions
            group by anchor_hour, app_version, actions, app_id, verified
            """
        let text = try await app.value(
            """
            select string_agg(source || ' ' || (counts - 'app_id')::text, e'\\n' order by source, counts - 'app_id')
            from (\((sources + [byHour]).joined(separator: " union all "))) as r
            where app_id = \(app.app.id) and verified
            """)
        let rows = (text ?? "").split(separator: "\n").map(String.init)
        return rows
    }

    private func expectAlike(_ step: String) async throws {
        let (expected, found) = (try await verified(genuine), try await verified(forged))
        #expect(Set(found).symmetricDifference(expected) == [], "\(step)")
        #expect(try await genuine.maintenance.verify().map { "\($0)" } == [], "\(step)")
    }

    @Test(arguments: 0..<24 as Range<UInt64>)
    func `no unverified event changes verified numbers, whatever is sealed and deleted meanwhile`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(seed: seed)
        // The ages that are sealed, one after the other; the last one is that of the deliveries to be deleted as well.
        let seals = [[120, 85, 30], [85, 30], [30], [120, 30]].randomElement(using: &random) ?? []
        var youngest = Int64.max
        for (number, sealed) in (seals + [0]).enumerated() {
            for round in 0..<3 {
                let step = "seed \(seed), seal \(number), round \(round)"
                var known: [[String: any Sendable]] = []
                for _ in 0..<Int.random(in: 0..<6, using: &random) {
                    let byServer = Bool.random(using: &random)
                    let kinds =
                        ["delivered", "opened", "action", "converted", "text_input"] + (byServer ? ["sent"] : [])
                    let event = event(kinds, younger: youngest, &random)
                    known.append(event)
                    let issued = Self.ages.randomElement(using: &random) ?? 0
                    // The forger comes first with a copy of half of them, or with another event of the same id.
                    if event["kind"] as? String != "sent", Bool.random(using: &random) {
                        var copy = event
                        if Bool.random(using: &random) { copy["campaign_id"] = "forged" }
                        try await forged.store([copy], scope: .ingest)
                        if Bool.random(using: &random) { try await rollUp() }
                    }
                    for app in [genuine, forged] {
                        var event = event
                        if !byServer { event["receipt"] = try await receipt(for: event, of: app, issued: issued) }
                        try await app.store([event], scope: byServer ? .send : .ingest)
                    }
                    if Bool.random(using: &random) { try await rollUp() }
                }
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    let kinds = ["delivered", "opened", "action", "converted", "text_input", "read", "dismissed"]
                    var event = event(kinds, younger: youngest, &random)
                    event["campaign_id"] = "forged"
                    try await forged.store([event], scope: .ingest)
                }
                try await rollUp()
                try await expectAlike(step)
            }
            guard sealed > 0 else { break }
            let deletesDeliveries = Bool.random(using: &random)
            let retention = Retention(
                pool: genuine.database.owner,
                RetentionPeriods(
                    events: Int64(sealed) * 86_400, deliveries: deletesDeliveries ? Int64(sealed) * 86_400 : nil)
            ) {
                try await rollUp()
            }
            _ = try await retention.run()
            // Whole months are sealed, which began up to a month before.
            youngest = Int64(sealed)
            try await expectAlike("seed \(seed), sealed \(sealed)")
        }
        try await genuine.maintenance.rebuild()
        try await expectAlike("seed \(seed), rebuilt")
    }
}
