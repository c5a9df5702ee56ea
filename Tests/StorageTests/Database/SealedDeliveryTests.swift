import AfterpushWire
import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests what counts of a delivery whose hour was sealed when its first verified event came.
@Suite struct SealedDeliveryTests {
    private let app: TestApp
    private let now = Int64(Date().timeIntervalSince1970 * 1_000_000)

    init() async throws {
        app = try await TestApp()
    }

    private func event(
        _ kind: String, of device: String, daysAgo days: Double, _ fields: [String: any Sendable] = [:]
    ) -> [String: any Sendable] {
        EventJSON.event([
            "kind": kind, "device_id": device,
            "occurred_at": AfterpushWire.Timestamp(microseconds: now - Int64(days * 86_400_000_000)).description,
        ]).merging(fields) { $1 }
    }

    /// Stores events and merges them. Those of the send key are verified; they are in batches of slices of devices, whose
    /// merges run side by side.
    private func store(_ events: [[String: any Sendable]], verified: Bool) async throws {
        try await app.store(events, scope: verified ? .send : .ingest, eventsPerSlice: verified ? 1 : 64)
        try await app.rollUp()
    }

    /// Seals all hours of more than two months ago, and deletes their events, or keeps these.
    private func seal(deletesEvents: Bool) async throws {
        if deletesEvents {
            let retention = Retention(pool: app.database.owner, RetentionPeriods(events: 30 * 86_400)) {
                try await app.rollUp()
            }
            _ = try await retention.run()
        } else {
            try await TestCluster.script(
                """
                update afterpush.retention_state set rejected_before = date_trunc('month', now() - interval '2 months');
                update afterpush.rollup_worker set sealed_before = date_trunc('month', now() - interval '2 months');
                """, on: app.conninfo)
        }
    }

    /// Events of a delivery today.
    private func genuine(_ device: String) -> [[String: any Sendable]] {
        [
            event("sent", of: device, daysAgo: 0.2, ["campaign_id": "autumn", "platform": "ios"]),
            event("delivered", of: device, daysAgo: 0.15), event("opened", of: device, daysAgo: 0.1),
            event("action", of: device, daysAgo: 0.1, ["action_identifier": "book"]),
            event("converted", of: device, daysAgo: 0.05, ["name": "order", "value": 5, "currency": "EUR"]),
        ]
    }

    /// The numbers of the campaign that reports with `verified=true` have.
    private func counts(verified: Bool = true) async throws -> String? {
        try await app.value(
            """
            select concat_ws(
                ' ', c.sent, c.confirmed, c.opened, c.acted, c.converted,
                (select sum(v.deliveries) from afterpush.rollup_values as v where v.verified = \(verified)),
                (
                    select sum(e.events) from afterpush.rollup_events as e
                    where e.verified = \(verified) and e.campaign_id = 'autumn'
                )
            )
            from afterpush.report_counts(
                'shop', null, null, 'autumn', null, null, null, \(verified), '{"(,sent)"}', '', 'UTC'
            ) as c
            """)
    }

    private func expectVerified(_ expected: String) async throws {
        for isRebuilt in [false, true] {
            if isRebuilt { try await app.maintenance.rebuild() }
            let found = try await counts()
            #expect(found == expected, "rebuilt: \(isRebuilt)")
            let differences = try await app.maintenance.verify().map { "\($0)" }
            #expect(differences == [], "rebuilt: \(isRebuilt)")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `what unverified events said before a seal takes no delivery out of verified numbers`(
        deletesEvents: Bool, hasLaterOnes: Bool
    ) async throws {
        let earlier = event("converted", of: "victim", daysAgo: 120, ["name": "order", "value": 7, "currency": "EUR"])
        try await store(
            [event("opened", of: "victim", daysAgo: 120, ["campaign_id": "forged"]), earlier], verified: false)
        try await seal(deletesEvents: deletesEvents)
        if hasLaterOnes {
            try await store(
                [event("delivered", of: "victim", daysAgo: 3, ["campaign_id": "forged"])], verified: false)
        }
        let sealed = "select sum(opened) from afterpush.rollup_deliveries where campaign_id = 'forged'"
        #expect(try await app.value(sealed) == "1")
        // One after the other: later events find the delivery as the first ones left it.
        for event in genuine("victim") { try await store([event], verified: true) }
        try await store(genuine("control"), verified: true)
        try await expectVerified("2 2 2 2 2 2 10")
        // What was counted before the seal stays.
        #expect(try await app.value(sealed) == "1")
    }

    @Test func `a verified copy of an unverified event counts though the delivery was sealed`() async throws {
        try await store([event("opened", of: "victim", daysAgo: 120)], verified: false)
        let events = genuine("victim")
        try await seal(deletesEvents: true)
        try await store(Array(events.dropFirst()), verified: false)
        #expect(try await counts() == "0 0 0 0 0")
        try await store(events, verified: true)
        try await expectVerified("1 1 1 1 1 1 5")
    }

    @Test func `a rebuild counts deliveries that verified events had not released in an earlier version`() async throws
    {
        try await store([event("opened", of: "victim", daysAgo: 120)], verified: false)
        try await seal(deletesEvents: false)
        let frozen = "create table public.frozen as select * from afterpush.deliveries"
        try await TestCluster.script(frozen, on: app.conninfo)
        try await store(genuine("victim"), verified: true)
        try await TestCluster.script(
            "delete from afterpush.deliveries; insert into afterpush.deliveries select * from public.frozen",
            on: app.conninfo)
        #expect(try await app.maintenance.verify().contains { $0.layer == "deliveries" })
        try await app.maintenance.rebuild()
        try await expectVerified("1 1 1 1 1 1 5")
    }

    @Test func `a delivery that came after its hour was sealed counts by its stored events once a send moves it`()
        async throws
    {
        let sealed = "now() - interval '70 days'"
        try await TestCluster.script(
            """
            update afterpush.retention_state set rejected_before = date_trunc('hour', \(sealed));
            update afterpush.rollup_worker set sealed_before = date_trunc('hour', \(sealed));
            """, on: app.conninfo)
        func response(_ device: String, daysAgo days: Double) async throws -> [String: any Sendable] {
            let issued = AfterpushWire.Timestamp(microseconds: now - 75 * 86_400_000_000)
            let receipt = try await app.receipts([
                ReceiptClaims(
                    app: "shop", notificationID: "n1", deviceID: device, issuedAt: issued,
                    expiresAt: AfterpushWire.Timestamp(microseconds: now), campaignID: "autumn")
            ])
            return event("action", of: device, daysAgo: days, ["action_identifier": "book", "receipt": receipt[0]])
        }
        try await store(
            [
                response("erased by retention", daysAgo: 65), response("in part", daysAgo: 65),
                response("in part", daysAgo: 3),
            ], verified: false)
        try await store([response("kept", daysAgo: 4)], verified: false)
        #expect(try await counts() == "0 0 0 0 0 4")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
        try await seal(deletesEvents: true)
        try await expectVerified("0 0 0 0 0 4")
        // Neither placed in another hour by what is left of them, nor counted.
        try await store([response("in part", daysAgo: 2)], verified: false)
        try await expectVerified("0 0 0 0 0 5")
        try await store(
            ["erased by retention", "in part", "kept"].map {
                event("sent", of: $0, daysAgo: 0.2, ["campaign_id": "autumn"])
            }, verified: true)
        try await expectVerified("3 0 0 2 2 8")
    }

    @Test(arguments: [["read"], ["text_input"], ["read", "text_input"]])
    func `what unverified events keep of a delivery whose period is over makes no difference to later ones`(
        forged: [String]
    ) async throws {
        let devices = ["victim", "control"]
        try await store(
            devices.flatMap { device in
                [
                    event("sent", of: device, daysAgo: 120, ["campaign_id": "autumn", "platform": "ios"]),
                    event("converted", of: device, daysAgo: 119, ["name": "order", "value": 7, "currency": "EUR"]),
                ]
            }, verified: true)
        try await store(
            // A text is kept for longer than its event.
            forged.map {
                event($0, of: "victim", daysAgo: $0 == "read" ? 3 : 65, ["campaign_id": "forged"]).merging(
                    $0 == "read" ? [:] : ["action_identifier": "reply", "user_text": "text"]
                ) { $1 }
            }, verified: false)
        let retention = Retention(
            pool: app.database.owner, RetentionPeriods(events: 30 * 86_400, deliveries: 40 * 86_400)
        ) {
            try await app.rollUp()
        }
        _ = try await retention.run()
        #expect(try await app.value("select string_agg(device_id, ' ') from afterpush.deliveries") == "victim")
        try await expectVerified("2 0 0 0 2 2 4")
        // Counted as other deliveries, as that of the control.
        for device in devices {
            try await store([event("opened", of: device, daysAgo: 0.1, ["campaign_id": "autumn"])], verified: true)
        }
        try await expectVerified("2 0 2 0 2 2 6")
    }

    @Test func `a delivery that verified events placed in a sealed hour stays as it is`() async throws {
        try await store(
            [event("sent", of: "d", daysAgo: 120, ["campaign_id": "autumn"])], verified: true)
        try await seal(deletesEvents: true)
        try await store([event("opened", of: "d", daysAgo: 1)], verified: true)
        #expect(try await app.value("select sum(opened) from afterpush.rollup_deliveries") == "0")
        #expect(try await app.value("select kinds from afterpush.deliveries") == "1")
        #expect(try await app.maintenance.verify().map { "\($0)" } == [])
    }
}
