import Foundation
import Storage
import TestSupport
import Testing

/// Tests report `lift` with small examples whose numbers follow from the definitions.
@Suite struct LiftTests {
    private typealias Fields = [String: any Sendable]

    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private static func event(_ kind: String, _ device: String, at time: String, _ fields: Fields = [:]) -> Fields {
        let needsNotification = kind == "sent" || kind == "failed" || kind == "held_out" || kind == "opened"
        let own: Fields =
            needsNotification
            ? ["kind": kind, "device_id": device, "occurred_at": time, "notification_id": "n", "campaign_id": "winter"]
            : ["kind": kind, "device_id": device, "occurred_at": time, "notification_id": ""]
        return EventJSON.event(own.merging(fields) { $1 })
    }

    private func store(_ events: [Fields]) async throws {
        try await app.store(events)
        try await app.rollUp()
    }

    private func rows(
        _ columns: [String], of report: String = "lift", _ variables: [String: String] = [:]
    ) async throws -> [[String]] {
        let table = CSV.parse(
            try await Program.psql(
                app.conninfo, file: Program.root.appending(path: "sql/reports/\(report).sql").path,
                variables: ["app": "shop", "min_n": "1"].merging(variables) { $1 }))
        let head = try #require(table.first)
        let places = try columns.map { column in try #require(head.firstIndex(of: column), "no column \(column)") }
        return table.dropFirst().map { row in places.map { row[$0] ?? "" } }
    }

    private let counts = ["campaign_id", "outcome", "treated_n", "treated_outcomes", "holdout_n", "holdout_outcomes"]
    private let start = "2026-11-10T10:00:00Z"

    @Test func `a delivery has the outcomes of its device within the window after its anchor`() async throws {
        try await store([
            Self.event("sent", "a", at: start), Self.event("sent", "b", at: start),
            Self.event("failed", "c", at: start),
            Self.event("held_out", "d", at: start), Self.event("held_out", "e", at: start),
            // At the anchor, at the end of seven days, just after them, and before the anchor.
            Self.event("converted", "a", at: start, ["name": "order"]),
            Self.event("converted", "d", at: "2026-11-17T10:00:00Z", ["name": "order"]),
            Self.event("converted", "c", at: "2026-11-17T10:00:00.000001Z", ["name": "order"]),
            Self.event("converted", "e", at: "2026-11-10T09:59:59Z", ["name": "order"]),
            // Several count once, a conversion of the notification doesn't, and another device's doesn't.
            Self.event("converted", "a", at: "2026-11-11T10:00:00Z", ["name": "order"]),
            Self.event("converted", "b", at: "2026-11-11T10:00:00Z", ["name": "order", "notification_id": "n"]),
            Self.event("converted", "f", at: "2026-11-11T10:00:00Z", ["name": "order"]),
            Self.event("app_opened", "b", at: "2026-11-12T10:00:00Z"),
            Self.event("converted", "e", at: "2026-11-12T10:00:00Z"),
        ])
        #expect(
            try await rows(counts) == [
                ["winter", "app_opened", "3", "1", "2", "0"], ["winter", "order", "3", "1", "2", "1"],
                ["winter", "", "3", "0", "2", "1"],
            ])
        #expect(
            try await rows(counts, ["outcome": "order", "window": "8d"]) == [["winter", "order", "3", "2", "2", "1"]])
        #expect(try await rows(counts, ["outcome": "sign-up"]) == [["winter", "sign-up", "3", "0", "2", "0"]])
        #expect(try await rows(counts, ["from": "2026-11-11"]).isEmpty)
        let numbers = try await rows(
            ["treated_rate", "holdout_rate", "difference", "added", "verdict", "reason"], ["outcome": "order"])
        #expect(
            numbers == [
                ["0.3333333333333333", "0.5", "-0.16666666666666666", "-0.5", "undecided", ""]
            ])
    }

    @Test func `a delivery that was held out is in no other count`() async throws {
        try await store([
            Self.event("sent", "a", at: start), Self.event("held_out", "b", at: start),
            Self.event("held_out", "c", at: start),
        ])
        // Even if it was sent and opened nevertheless, before or after.
        try await store([
            Self.event("opened", "a", at: start), Self.event("sent", "c", at: start),
            Self.event("opened", "c", at: start),
            Self.event("sent", "d", at: start),
        ])
        try await store([Self.event("held_out", "d", at: start)])
        for by in ["", "campaign", "app_version", "day"] {
            let found = try await rows(["sent", "opened", "base_n"], of: "conversion", ["by": by])
            #expect(found == [["1", "1", "1"]], "\(by)")
        }
        #expect(try await rows(["held_out", "sent"], of: "timeseries") == [["3", "3"]])
        #expect(try await rows(counts) == [["winter", "", "1", "0", "3", "0"]])
        #expect(try await app.maintenance.verify().isEmpty)
        try await app.maintenance.rebuild()
        #expect(try await rows(["sent", "opened", "base_n"], of: "conversion") == [["1", "1", "1"]])
    }

    @Test func `a share of held out devices that differs from the declared one invalidates the comparison`()
        async throws
    {
        try await store(
            (0..<200).map { Self.event($0 % 2 == 0 ? "sent" : "held_out", "d\($0)", at: start) }
                + (0..<50).map { Self.event("converted", "d\($0 * 2)", at: start, ["name": "order"]) })
        let columns = ["treated_n", "holdout_n", "difference", "added", "verdict"]
        #expect(try await rows(columns) == [["100", "100", "0.5", "50", "better"]])
        let p = ["sample_ratio_p_anytime"]
        #expect(try await rows(p) == [[""]])
        for (share, isFair) in [(0.5, true), (0.1, false)] {
            try await TestCluster.script(
                """
                insert into afterpush.campaigns (app_id, campaign_id, name, holdout)
                values (\(app.app.id), 'winter', 'Winter', \(share))
                on conflict (app_id, campaign_id) do update set holdout = excluded.holdout
                """, on: app.conninfo)
            #expect(try await rows(["verdict"]) == [[isFair ? "better" : "sample_ratio_mismatch"]])
            let value = try #require(Double(try await rows(p)[0][0]))
            #expect((value > 0.5) == isFair, "\(value)")
        }
    }

    @Test func `the value that a campaign added is that of outcomes in each currency, over all deliveries`()
        async throws
    {
        func order(_ device: String, _ value: Double, _ currency: String = "EUR", day: Int = 11) -> Fields {
            Self.event(
                "converted", device, at: "2026-11-\(day)T10:00:00Z",
                ["name": "order", "value": value, "currency": currency])
        }
        try await store([
            Self.event("sent", "a", at: start), Self.event("sent", "b", at: start), Self.event("sent", "c", at: start),
            Self.event("failed", "d", at: start),
            Self.event("held_out", "e", at: start), Self.event("held_out", "f", at: start),
            // Two orders of a device add up, and a refund counts. What is late, or in another currency, doesn't.
            order("a", 20.10), order("a", 9.90), order("b", 12), order("b", -2), order("e", 5),
            order("c", 100, day: 18), order("c", 7, "USD"), order("f", 3, "USD"),
            Self.event("app_opened", "a", at: start),
        ])
        let columns = ["currency", "treated_value_per_delivery", "holdout_value_per_delivery", "value_added"]
        #expect(
            try await rows(columns, ["outcome": "order"]) == [
                ["EUR", "10", "2.5", "30"], ["USD", "1.75", "1.5", "1"],
            ])
        let same = try await rows(counts + ["difference", "added", "verdict"], ["outcome": "order"])
        #expect(same.count == 2 && same[0] == same[1], "\(same)")
        #expect(try await rows(columns, ["outcome": "order", "currency": "eur"]) == [["EUR", "10", "2.5", "30"]])
        #expect(try await rows(columns, ["outcome": "order", "currency": "usd"]) == [["USD", "1.75", "1.5", "1"]])
        #expect(try await rows(columns, ["outcome": "order", "currency": "SEK"]) == [["", "", "", ""]])
        // All were posted with a send key.
        #expect(try await rows(["verified_share"], ["outcome": "order"]) == [["1"], ["1"]])
        #expect(try await rows(["verified_share"], ["outcome": "none"]) == [[""]])
        #expect(try await rows(columns, ["outcome": "app_opened"]) == [["", "", "", ""]])
        #expect(
            try await rows(columns, ["outcome": "order", "min_n": "3"]) == [
                ["EUR", "10", "", ""], ["USD", "1.75", "", ""],
            ])
        // Variances of 200 of four and 12.5 of two: 3.627 degrees of freedom, and a standard error of 7.5; times four deliveries.
        let bounds = try await rows(["value_added_low", "value_added_high"], ["outcome": "order"])
        let numbers = bounds[0].compactMap { Double($0) }
        #expect(numbers.count == 2 && abs(numbers[0] + numbers[1] - 60) < 1e-9, "\(bounds)")
        #expect(numbers.count == 2 && abs(numbers[1] - 116.78423221127) < 1e-9, "\(bounds)")
    }
}
