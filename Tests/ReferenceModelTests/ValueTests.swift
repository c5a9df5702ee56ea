import ReferenceModel
import Testing

@Suite struct ValueTests {
    private func purchase(
        _ notification: Identifier, _ value: Int, _ currency: Identifier? = "EUR", verified: Bool = true
    ) -> ModelEvent {
        event(.converted, notification, verified: verified) { event in
            event.value = value
            event.currency = currency
        }
    }

    private func rows(
        _ events: [ModelEvent], _ change: (inout Selection) -> Void = { _ in }
    ) throws -> [ModelRow] {
        valueReport(events: events, declarations: Declarations(), selection: try selection(change))
    }

    @Test func `a delivery's value is the sum of its events, by currency`() throws {
        let events =
            (1...4).map { event(.sent, Identifier("n\($0)")) } + [
                purchase("n1", 2000), purchase("n1", -500), purchase("n2", 500), purchase("n2", 30, "USD"),
                purchase("n3", 700, nil),
            ]
        let rows = try rows(events)
        #expect(rows.map { $0["currency"] } == [.text("EUR"), .text("USD"), .null])
        #expect(rows.map { $0["total_value"] } == [.double(20), .double(0.3), .double(7)])
        #expect(rows.map { $0["converted_with_value"] } == [.int(2), .int(1), .int(1)])
        #expect(rows[0]["value_per_delivery"] == .double(5))
        // SciPy's interval of 15, 5, 0 and 0.
        guard case .double(let low)? = rows[0]["value_per_delivery_low"],
            case .double(let high)? = rows[0]["value_per_delivery_high"]
        else {
            Issue.record("no interval")
            return
        }
        #expect(abs(low + 6.2516468161409176) < 1e-12)
        #expect(abs(high - 16.25164681614092) < 1e-12)
    }

    @Test func `only verified events count with verified, and values outside the base stand apart`() throws {
        let events = [
            event(.sent, "n1"), purchase("n1", 100, verified: false), purchase("n2", 250),
        ]
        let row = try #require(try rows(events).first)
        #expect(row["total_value"] == .double(1))
        #expect(row["value_outside_base"] == .double(2.5))
        let verified = try #require(try rows(events) { $0.verified = true }.first)
        #expect(verified["total_value"] == .double(0))
        #expect(verified["value_outside_base"] == .double(2.5))
    }

    @Test(arguments: [
        (1, 12.706204736174705), (1.5, 6.0166631044279319), (2, 4.3026527297494639), (3.7, 2.8675207071911895),
        (29.5, 2.0437249667721233), (299, 1.9679296690656699), (1234.5, 1.9618874833313456),
    ])
    func `the quantile of Student's t agrees with SciPy`(degrees: Double, quantile: Double) {
        #expect(abs(studentQuantile(degrees: degrees) - quantile) < 1e-11 * quantile)
    }
}
