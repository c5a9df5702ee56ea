import Events
import Foundation
import Storage
import TestSupport
import Testing

/// Tests the report `value` with small examples whose numbers were worked out by hand or with SciPy.
@Suite struct ValueReportTests {
    private typealias Fields = [String: any Sendable]

    private let app: TestApp

    init() async throws {
        app = try await TestApp()
    }

    private func event(_ kind: String, _ notification: String, _ fields: Fields = [:]) -> Fields {
        EventJSON.event(["kind": kind, "notification_id": notification].merging(fields) { $1 })
    }

    private func purchase(_ notification: String, _ value: Double, _ currency: String? = "EUR") -> Fields {
        var fields: Fields = ["name": "purchase", "value": value]
        if let currency { fields["currency"] = currency }
        return event("converted", notification, fields)
    }

    private func sent(_ notifications: ClosedRange<Int>, _ fields: Fields = [:]) -> [Fields] {
        notifications.map { event("sent", "n\($0)", fields) }
    }

    private func rows(
        _ columns: [String] = ["currency", "base_n", "converted_with_value", "total_value"],
        _ variables: [String: String] = [:], report: String = "value"
    ) async throws -> [[String]] {
        let table = CSV.parse(
            try await Program.psql(
                app.conninfo, file: Program.root.appending(path: "sql/reports/\(report).sql").path,
                variables: ["app": "shop", "min_n": "1"].merging(variables) { $1 }))
        let head = try #require(table.first)
        let places = try columns.map { column in try #require(head.firstIndex(of: column), "no column \(column)") }
        return table.dropFirst().map { row in places.map { row[$0] ?? "" } }
    }

    private func expectConsistency() async throws {
        #expect(try await app.maintenance.verify().map(\.layer) == [])
    }

    @Test func `a delivery is worth the sum of its events, by currency, and refunds are subtracted`() async throws {
        try await app.store(
            sent(1...4) + [
                purchase("n1", 19.99), purchase("n1", 0.01), purchase("n1", -5), purchase("n2", 5),
                purchase("n2", 0.3, "USD"), purchase("n3", 7, nil),
                // An event that says nothing of money.
                event("converted", "n4", ["name": "signup"]),
            ])
        try await app.rollUp()
        #expect(
            try await rows() == [["EUR", "4", "2", "20"], ["USD", "4", "1", "0.3"], ["", "4", "1", "7"]])
        let means = try await rows(["value_per_delivery", "value_per_delivery_low", "value_per_delivery_high"])
        // Of 15, 5, 0 and 0.
        #expect(means.first?.first == "5")
        let bounds = try #require(means.first).dropFirst().compactMap { Double($0) }
        #expect(abs(bounds[0] + 6.2516468161409176) < 1e-12)
        #expect(abs(bounds[1] - 16.25164681614092) < 1e-12)
        try await expectConsistency()
    }

    @Test func `sums are exact`() async throws {
        try await app.store(
            sent(1...2) + [purchase("n1", 0.1), purchase("n1", 0.2), purchase("n1", 900_000_000_000_000)])
        try await app.rollUp()
        let row = try await rows(["total_value", "value_per_delivery"])
        #expect(row == [["900000000000000.3", "450000000000000.15"]])
    }

    @Test func `a copy of an event counts once, and only verified events count with verified`() async throws {
        let unverified = purchase("n1", 10)
        let other = purchase("n1", 3)
        try await app.store(sent(1...3))
        try await app.store([unverified, other], scope: .ingest)
        try await app.store([unverified], scope: .ingest)
        try await app.rollUp()
        #expect(try await rows() == [["EUR", "3", "1", "13"]])
        #expect(try await rows(["total_value"], ["verified": "true"]) == [])
        // A verified copy replaces the event.
        try await app.store([unverified.merging(["value": 11]) { $1 }])
        try await app.rollUp()
        #expect(try await rows() == [["EUR", "3", "1", "14"]])
        #expect(try await rows(["total_value"], ["verified": "true"]) == [["11"]])
        try await expectConsistency()
    }

    @Test func `a value moves with its delivery when a send says what the delivery belongs to`() async throws {
        try await app.store([purchase("n1", 12)])
        try await app.rollUp()
        let columns = ["campaign_id", "variant", "base_n", "total_value", "value_outside_base", "reason"]
        let by = ["by": "campaign,variant"]
        #expect(try await rows(columns, by) == [["", "", "0", "0", "12", "no_base"]])
        try await app.store(
            sent(1...1, ["campaign_id": "spring", "variant": "a"])
                + sent(2...3, ["campaign_id": "spring", "variant": "b"]))
        try await app.rollUp()
        // A variant without a value has a row.
        #expect(
            try await rows(columns, by) == [["spring", "a", "1", "12", "0", ""], ["spring", "b", "2", "0", "0", ""]])
        try await expectConsistency()
    }

    @Test func `a mean over fewer deliveries than min_n is left out`() async throws {
        try await app.store(sent(1...3) + [purchase("n1", 12)])
        try await app.rollUp()
        let columns = ["total_value", "value_per_delivery", "value_per_delivery_low", "suppressed", "reason"]
        #expect(try await rows(columns, ["min_n": "4"]) == [["12", "", "", "t", "few"]])
    }

    @Test func `what an erased device bought still counts, and survives a rebuild`() async throws {
        try await app.store(
            sent(1...2) + [purchase("n1", 12), purchase("n2", 30).merging(["device_id": "d2"]) { $1 }]
                + [event("sent", "n2", ["device_id": "d2"])])
        try await app.rollUp()
        let before = try await rows()
        #expect(before == [["EUR", "3", "2", "42"]])
        _ = try await app.value("select afterpush.erase_device_chunk(\(app.app.id), 'd2', 100)")
        #expect(try await rows() == before)
        #expect(
            try await app.value(
                """
                select count(*) from afterpush.delivery_values as v join afterpush.deliveries as d using (delivery_id)
                where d.device_id is null
                """) == "1")
        try await expectConsistency()
        try await app.maintenance.rebuild()
        #expect(try await rows() == before)
        try await expectConsistency()
    }

    @Test func `the value of sealed hours outlives events and deliveries`() async throws {
        try await app.store(sent(1...3) + [purchase("n1", 12), purchase("n2", -2.5)])
        try await app.rollUp()
        let before = try await rows(["base_n", "total_value", "value_per_delivery_high"])
        #expect(before.first?.prefix(2) == ["3", "9.5"])
        try await TestCluster.script(
            """
            update afterpush.rollup_worker set sealed_before = '2026-11-21';
            delete from afterpush.events;
            select afterpush.purge_deliveries('2026-11-21', 0, 1000);
            """, on: app.conninfo)
        let left = """
            select (select count(*) from afterpush.deliveries) + (select count(*) from afterpush.delivery_values)
            """
        #expect(try await app.value(left) == "0")
        #expect(try await rows(["base_n", "total_value", "value_per_delivery_high"]) == before)
        try await expectConsistency()
        try await app.maintenance.rebuild()
        #expect(try await rows(["base_n", "total_value", "value_per_delivery_high"]) == before)
    }

    @Test func `an experiment compares the value per delivery in the currency that is asked for`() async throws {
        func arm(_ variant: String, _ numbers: ClosedRange<Int>, worth values: [Double]) -> [Fields] {
            numbers.flatMap { number in
                let name: Fields = ["device_id": "d\(number)", "campaign_id": "spring", "variant": variant]
                let sent = event("sent", "n", name)
                let index = number - numbers.lowerBound
                guard index < values.count else { return [sent] }
                return [sent, purchase("n", values[index]).merging(name) { $1 }]
            }
        }
        try await app.store(
            arm("a", 1...40, worth: [15, 5, 0.01, 120.5, -7]) + arm("b", 41...90, worth: [30, 44.99])
                + arm("c", 91...92, worth: []))
        try await app.rollUp()
        let columns = [
            "variant", "converted_with_value", "total_value", "value_per_delivery", "value_difference",
            "value_difference_low", "value_difference_high", "value_per_delivery_low", "value_design_effect",
        ]
        let rows = try await rows(columns, ["currency": "eur"], report: "experiment")
        #expect(
            rows.map { Array($0.prefix(5)) } == [
                ["a", "5", "133.51", "3.33775", ""], ["b", "2", "74.99", "1.4998", "-1.83795"],
                ["c", "0", "0", "0", "-3.33775"],
            ])
        let effects = rows.compactMap { Double($0[8]) }
        #expect(effects.count == 3 && effects.allSatisfy { $0 >= 1 && $0 < 3 }, "\(effects)")
        let bounds = rows[1][5...6].compactMap { Double($0) }
        // Twice the middle of the interval is twice the difference; independent deliveries have SciPy's.
        #expect(abs(bounds[0] + bounds[1] + 2 * 1.83795) < 1e-9)
        #expect(bounds[1] - bounds[0] >= 2 * 6.469614165059596 - 1e-9)
        let without = try await self.rows(columns, report: "experiment")
        #expect(without.map { $0.dropFirst().joined() } == ["", "", ""])
    }
}
