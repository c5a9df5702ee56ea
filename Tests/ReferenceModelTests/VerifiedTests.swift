import ReferenceModel
import Testing

@Suite struct VerifiedTests {
    private func verified(_ events: [ModelEvent], by: [Grouping] = []) throws -> [ModelRow] {
        try rows(events) {
            $0.verified = true
            $0.by = by
        }
    }

    @Test func `a state counts only if a verified event proves it`() throws {
        let row = try verified([event(.sent, verified: true), event(.opened)])[0]
        #expect(row.counts("sent", "opened", "delivered", "no_response") == [1, 0, 0, 1])
    }

    @Test func `a delivery without a verified event is ignored`() throws {
        #expect(try verified([event(.opened)], by: [.campaign]).isEmpty)
    }

    @Test func `anchor and dimensions are determined by verified events, whatever others state`() throws {
        let sent = event(.sent, at: clock(9), verified: false) {
            $0.trigger = "calendar"
            $0.campaign = "spring"
            $0.platform = "ios"
        }
        let opened = event(.opened, at: clock(12), verified: true) { $0.campaign = "autumn" }
        let rows = try verified([sent, opened], by: [.campaign, .hour])
        #expect(rows.map { $0["campaign_id"] } == [.text("autumn")])
        #expect(rows.map { $0["hour"] } == [.text("2026-11-10T12:00:00Z")])
        #expect(rows[0].counts("sent", "opened") == [0, 1])
        #expect(try verified([sent, opened], by: [.platform]).map { $0["platform"] } == [.null])
    }

    @Test func `what a verified event leaves open is known from unverified ones only without the parameter`() throws {
        let sent = event(.sent, verified: true) { $0.campaign = "spring" }
        let delivered = event(.delivered) {
            $0.campaign = "autumn"
            $0.platform = "ios"
        }
        let all = try ReferenceModelTests.rows([sent, delivered]) { $0.by = [.campaign, .platform] }
        #expect(all.map { [$0["campaign_id"], $0["platform"]] } == [[.text("spring"), .text("ios")]])
        let rows = try verified([sent, delivered], by: [.campaign, .platform])
        #expect(rows.map { [$0["campaign_id"], $0["platform"]] } == [[.text("spring"), .null]])
    }

    @Test func `a verified response states what verified sends leave open, before unverified events`() throws {
        let opened = event(.opened, verified: true) { $0.platform = "ios" }
        let confirmed = event(.delivered) { $0.platform = "web" }
        let sent = event(.sent, verified: true)
        func platform(_ events: [ModelEvent], verified: Bool) throws -> ModelValue? {
            let rows = try ReferenceModelTests.rows(events) {
                $0.by = [.platform]
                $0.verified = verified
            }
            return rows[0]["platform"]
        }
        #expect(try platform([opened, confirmed], verified: false) == .text("ios"))
        #expect(try platform([opened, confirmed, sent], verified: false) == .text("ios"))
        #expect(try platform([opened, confirmed, sent], verified: true) == .text("ios"))
        let stating = event(.sent, verified: true) { $0.platform = "android" }
        #expect(try platform([opened, confirmed, sent, stating], verified: true) == .text("android"))
    }

    @Test func `a verified failure outweighs unverified confirmations`() throws {
        let row = try verified([event(.failed, verified: true), event(.opened)])[0]
        #expect(row.counts("failed") == [1])
    }

    @Test func `goals, totals and times come from verified events only`() throws {
        let events = [
            event(.sent, at: clock(10), verified: true),
            event(.delivered, at: clock(10, 5)),
            tap("yes", at: clock(10, 6)),
            tap("yes", at: clock(10, 10), verified: true),
            event(.converted, "n2"),
            event(.read, "n2", verified: true),
        ]
        let rows = try actions(events) { $0.verified = true }
        #expect(rows.map { $0.counts("acted", "total") } == [[1, 1]])
        #expect(rows[0].rate("p50_seconds") == 600)
        #expect(try verified(events)[0].counts("converted", "confirmed", "read") == [1, 0, 1])
    }

    @Test func `declared sends count as verified`() throws {
        let row = try row([], Declarations(sends: [declaredSend(40)])) { $0.verified = true }
        #expect(row.counts("sent") == [40])
    }
}
