import ReferenceModel
import Testing

@Suite struct InfluenceTests {
    private func opening(at time: Int) -> ModelEvent {
        event(.app_opened, at: time) { $0.notificationID = nil }
    }

    /// The counts of direct, influenced and other openings, and the expected count if there is a baseline.
    private func counts(_ events: [ModelEvent], window: Int = 12 * 3600, baseline: Bool = false) throws -> [Int?] {
        let rows = influenceReport(
            events: events, declarations: Declarations(), selection: try selection(), window: window,
            baseline: baseline)
        try #require(rows.count == 1)
        let counts = rows[0].counts("direct", "influenced", "other")
        return baseline ? counts + rows[0].counts("expected", "influenced_net") : counts
    }

    @Test func `an opening within a minute after a response is direct, and a later one is not`() throws {
        let response = tap("confirm", at: clock(10, 31))
        #expect(try counts([response, opening(at: clock(10, 31))]) == [1, 0, 0])
        #expect(try counts([response, opening(at: clock(10, 32))]) == [1, 0, 0])
        #expect(try counts([response, opening(at: clock(10, 32) + 1)]) == [0, 0, 1])
        #expect(try counts([response, opening(at: clock(10, 31) - 1)]) == [0, 0, 1])
    }

    @Test func `a dismissal makes no opening direct`() throws {
        let events = [event(.delivered, at: clock(10)), event(.dismissed, at: clock(10, 31))]
        #expect(try counts(events + [opening(at: clock(10, 31, 10))]) == [0, 1, 0])
    }

    @Test func `a later response of the same delivery makes an opening direct, too`() throws {
        let responses = [tap("confirm", at: clock(10, 31)), tap("confirm", at: clock(15))]
        #expect(try counts(responses + [opening(at: clock(15, 0, 30))]) == [1, 0, 0])
    }

    @Test func `a confirmed, unopened notification within the window influences an opening`() throws {
        let confirmed = event(.delivered, at: clock(10))
        #expect(try counts([confirmed, opening(at: clock(10))]) == [0, 1, 0])
        #expect(try counts([confirmed, opening(at: clock(22))]) == [0, 1, 0])
        #expect(try counts([confirmed, opening(at: clock(22) + 1)]) == [0, 0, 1])
        #expect(try counts([confirmed, opening(at: clock(11) + 1)], window: 3600) == [0, 0, 1])
        #expect(try counts([confirmed, event(.opened, at: clock(9)), opening(at: clock(12))]) == [0, 0, 1])
        #expect(try counts([event(.sent, at: clock(10)), opening(at: clock(12))]) == [0, 0, 1])
        #expect(try counts([confirmed, opening(at: clock(12)), opening(at: clock(13))]) == [0, 2, 0])
    }

    @Test func `a notification counts as unopened until it is opened`() throws {
        let delivery = [event(.delivered, at: clock(10)), event(.opened, at: clock(14))]
        #expect(try counts(delivery + [opening(at: clock(12))]) == [0, 1, 0])
        #expect(try counts(delivery + [opening(at: clock(15))]) == [0, 0, 1])
    }

    @Test func `the expected count comes from the same hours one day later`() throws {
        let confirmed = event(.delivered, at: clock(34))
        #expect(try counts([confirmed, opening(at: clock(12))], baseline: true) == [0, 0, 1, 1, -1])
        #expect(try counts([confirmed, opening(at: clock(36))], baseline: true) == [0, 1, 0, 0, 1])
        #expect(try counts([confirmed, opening(at: clock(9))], baseline: true) == [0, 0, 1, 0, 0])
    }

    @Test func `an opening is expected a day later, and never in the future`() throws {
        let events = [event(.delivered, at: clock(34)), opening(at: clock(12)), opening(at: clock(36))]
        func rows(_ change: (inout Selection) -> Void) throws -> [[Int?]] {
            influenceReport(
                events: events, declarations: Declarations(), selection: try selection(change), baseline: true
            ).map { $0.counts("app_opened", "influenced", "expected") }
        }
        #expect(try rows { $0.by = [.day] } == [[1, 0, 0], [1, 1, 1]])
        #expect(try rows { $0.from = clock(24) } == [[1, 1, 1]])
        #expect(try rows { $0.to = clock(24) } == [[1, 0, 0]])
        #expect(try rows { $0.asOf = clock(36) } == [[2, 1, 0]])
        #expect(try rows { $0.asOf = clock(36) + 1 } == [[2, 1, 1]])
    }

    @Test func `an opening is credited to the latest notification and filtered by its dimensions`() throws {
        let confirmations = ["autumn", "spring"].enumerated().map { index, campaign in
            event(.delivered, Identifier(campaign), at: clock(10 + index)) { $0.campaign = Identifier(campaign) }
        }
        let events = confirmations + [opening(at: clock(12)), opening(at: clock(10, 30)), opening(at: clock(1))]
        func rows(_ change: (inout Selection) -> Void) throws -> [ModelRow] {
            influenceReport(events: events, declarations: Declarations(), selection: try selection(change))
        }
        let grouped = try rows { $0.by = [.campaign] }
        #expect(grouped.map { $0["campaign_id"] } == [.text("autumn"), .text("spring"), .null])
        #expect(grouped.map { $0.counts("influenced", "other") } == [[1, 0], [1, 0], [0, 1]])
        #expect(try rows { $0.campaign = "autumn" }.map { $0.counts("app_opened") } == [[1]])
    }
}
