import ReferenceModel
import Testing

@Suite struct DeclaredSendTests {
    private func ofSpring(_ kind: ModelKind, _ notification: Identifier, at time: Int = clock(10, 30)) -> ModelEvent {
        event(kind, notification, at: time) { $0.campaign = "spring" }
    }

    @Test func `a campaign with declared sends counts only those as sends`() throws {
        let events = [ofSpring(.sent, "n1"), ofSpring(.sent, "n2"), event(.sent, "n3")]
        let row = try row(events, Declarations(sends: [declaredSend(10), declaredSend(5) { $0.failed = 2 }]))
        #expect(row.counts("sent", "failed", "base_n") == [16, 2, 16])
    }

    @Test func `all deliveries of a campaign count as part of its declared sends`() throws {
        let events = [ofSpring(.opened, "n1"), ofSpring(.delivered, "n2"), event(.opened, "n3"), event(.sent, "n4")]
        let row = try row(events, Declarations(sends: [declaredSend(9)]))
        #expect(row.counts("base_n", "opened") == [10, 2])
        #expect(row.rate("open_rate") == 0.1)
        #expect(row.rate("delivery_rate") == 0.2)
        #expect(row.rate("confirmation_coverage") == 0.1)
    }

    @Test func `declared sends belong to the groups that they name, otherwise to the unknown group`() throws {
        let sends = [declaredSend(10) { $0.variant = "A" }, declaredSend(5)]
        let rows = try rows([], Declarations(sends: sends)) { $0.by = [.variant] }
        #expect(rows.map { $0["variant"] } == [.text("A"), .null])
        #expect(rows.map { $0.counts("sent") } == [[10], [5]])
    }

    @Test func `a rate is null if its numerator exceeds its base`() throws {
        let events = [ofSpring(.opened, "n1"), ofSpring(.opened, "n2")]
        let row = try row(events, Declarations(sends: [declaredSend(1)]))
        #expect(row.counts("base_n", "opened") == [1, 2])
        #expect(row.rate("open_rate") == nil)
        #expect(row.rate("open_rate_high") == nil)
        #expect(row.rate("action_rate") == 0)
    }

    @Test(arguments: [[Grouping.day], [.hour], [.campaign, .day]])
    func `declared sends are not the base in rows by day or hour`(by: [Grouping]) throws {
        let events = [ofSpring(.opened, "n1"), ofSpring(.sent, "n1"), event(.sent, "n2"), event(.opened, "n2")]
        let rows = try rows(events, Declarations(sends: [declaredSend(50) { $0.failed = 3 }])) { $0.by = by }
        let sums = rows.map { $0.counts("sent", "failed", "base_n", "opened") }
        #expect(by.count == 2 ? sums == [[50, 3, 0, 1], [1, 0, 1, 1]] : sums == [[51, 3, 1, 2]])
        #expect(rows.map { $0["base"] } == (by.count == 2 ? [.text("none"), .text("sent")] : [.text("sent")]))
        #expect(rows.last?.rate("open_rate") == 1)
        #expect(rows.last?.rate("delivery_rate") == 1)
    }

    @Test func `declared sends count on their day, where the automatic base is confirmed`() throws {
        let rows = try rows([event(.delivered)], Declarations(sends: [declaredSend(50, at: clock(-48))])) {
            $0.by = [.day]
        }
        #expect(rows.map { $0["day"] } == [.text("2026-11-08"), .text("2026-11-10")])
        #expect(rows.map { $0.counts("sent", "base_n") } == [[50, 0], [0, 1]])
        #expect(rows.map { $0["base"] } == [.text("none"), .text("confirmed")])
    }

    @Test func `declared sends are the base if they cover half of the campaign's deliveries`() throws {
        let opened = (1...4).map { ofSpring(.opened, Identifier("n\($0)")) }
        let events = opened + [ofSpring(.delivered, "n1")]
        let half = try row(events, Declarations(sends: [declaredSend(2)]))
        #expect(half["base"] == .text("sent"))
        #expect(half.counts("sent", "base_n") == [2, 2])
        let less = try row(events, Declarations(sends: [declaredSend(1)]))
        #expect(less["base"] == .text("confirmed"))
        #expect(less.counts("sent", "base_n") == [1, 1])
        #expect(less.rate("open_rate") == 1)
    }

    @Test func `a campaign with declared sends and one with confirmations only add up`() throws {
        let events = [ofSpring(.opened, "n1"), event(.delivered, "n2"), event(.opened, "n2"), event(.opened, "n3")]
        let row = try row(events, Declarations(sends: [declaredSend(9)]))
        #expect(row["base"] == .text("mixed"))
        #expect(row.counts("sent", "base_n", "opened") == [9, 10, 3])
        #expect(row.rate("open_rate") == 0.2)
    }

    @Test
    func `declared sends are selected by the hour of their time, but their campaign counts as declared at all times`()
        throws
    {
        let events = [ofSpring(.sent, "n1")]
        func since(_ from: Int) throws -> ModelRow {
            try rows(events, Declarations(sends: [declaredSend(10, at: clock(9, 59))])) { $0.from = from }[0]
        }
        #expect(try since(clock(9)).counts("sent") == [10])
        #expect(try since(clock(9) + 1).counts("sent", "base_n") == [0, 0])
    }

    @Test func `a filter passes only declared sends that name the value`() throws {
        let sends = [declaredSend(10) { $0.platform = "ios" }, declaredSend(5)]
        let row = try row([], Declarations(sends: sends)) { $0.platform = "ios" }
        #expect(row.counts("sent") == [10])
        #expect(try sent(sends) { $0.campaign = "autumn" } == [0])
        #expect(try sent(sends) { $0.category = "order" } == [0])
        #expect(try sent(sends) { $0.variant = "A" } == [0])
    }

    private func sent(_ sends: [DeclaredSend], _ change: (inout Selection) -> Void) throws -> [Int?] {
        try row([], Declarations(sends: sends), change).counts("sent")
    }

    @Test func `a campaign closes as a whole, with its last declared send`() throws {
        let declarations = Declarations(
            campaigns: [Campaign("spring", windowSeconds: 3600)],
            sends: [declaredSend(10, at: clock(1)), declaredSend(10, at: clock(14, 20))]
        )
        // The delivery's own hour and window are over at 12:00.
        let events = [ofSpring(.delivered, "n1"), ofSpring(.replaced, "n2"), ofSpring(.opened, "n3")]
        let before = try row(events, declarations) { $0.asOf = clock(16) - 1 }
        #expect(before.counts("pending", "no_response", "closed_n") == [1, 0, 0])
        let exactly = try row(events, declarations) { $0.asOf = clock(16) }
        #expect(exactly.counts("pending", "no_response", "closed_n") == [0, 1, 19])
        #expect(exactly.rate("no_response_rate") == 18.0 / 19)
    }

    @Test func `the stated category and platform decide whether dismissals of declared sends are observable`() throws {
        let declarations = Declarations(
            categories: [
                order(1, .init("say", title: "", textInput: true)),
                order(2, from: clock(9), options: ["customDismissAction"], .init("yes", title: "")),
            ],
            sends: [
                stating(10, 2, "ios"), stating(20, 1, "ios"), stating(40, nil, "ios"), stating(80, 1, "web"),
                stating(160, nil, nil), stating(320, 7, "ios"),
            ]
        )
        let replaced = event(.replaced) {
            $0.campaign = "spring"
            $0.category = "order"
            $0.platform = "web"
        }
        let row = try row([replaced], declarations)
        #expect(row.counts("sent", "dismiss_n", "reply_n") == [630, 129, 100])
        #expect(row.rate("dismiss_coverage") == 130.0 / 630)
    }

    private func stating(_ count: Int, _ version: Int?, _ platform: Identifier?) -> DeclaredSend {
        declaredSend(count) {
            $0.category = "order"
            $0.categoryVersion = version
            $0.platform = platform
        }
    }

    @Test func `replaced deliveries that no declared send covers leave a denominator of 0`() throws {
        let sends = [declaredSend(10) { $0.variant = "A" }]
        let rows = try rows([ofSpring(.replaced, "n1")], Declarations(sends: sends)) { $0.by = [.variant] }
        #expect(rows.map { $0.counts("closed_n") } == [[10], [0]])
    }

    @Test func `declared sends count only as sends if the base is confirmed`() throws {
        let row = try row([ofSpring(.delivered, "n1")], Declarations(sends: [declaredSend(10)])) {
            $0.base = .confirmed
        }
        #expect(row.counts("sent", "base_n") == [10, 1])
        #expect(row.rate("delivery_rate") == 0.1)
        #expect(row.rate("open_rate") == 0)
    }
}
