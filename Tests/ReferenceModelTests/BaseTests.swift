import ReferenceModel
import Testing

@Suite struct BaseTests {
    private let sentAndOpened = [event(.sent, "n1"), event(.opened, "n1")]
    private let confirmedAndOpened = [event(.delivered, "n2"), event(.opened, "n2")]
    private let openedOnly = [event(.opened, "n3")]
    private let sentAndConfirmed = [event(.sent, "n4"), event(.delivered, "n4")]

    private var all: [ModelEvent] { sentAndOpened + confirmedAndOpened + openedOnly + sentAndConfirmed }

    @Test func `the base auto means sent if sends cover half of the deliveries`() throws {
        let row = try row(all)
        #expect(row["base"] == .text("sent"))
        #expect(row.counts("base_n", "opened") == [2, 3])
        #expect(row.rate("open_rate") == 0.5)
    }

    @Test func `the base auto means confirmed without sends`() throws {
        let row = try row(confirmedAndOpened + openedOnly)
        #expect(row["base"] == .text("confirmed"))
        #expect(row.counts("base_n", "opened") == [1, 2])
        #expect(row.rate("open_rate") == 1)
    }

    @Test func `the base auto means none without sends and confirmations, and then there are no rates`() throws {
        let row = try row(openedOnly)
        #expect(row["base"] == .text("none"))
        #expect(row.counts("base_n", "opened", "closed_n") == [0, 1, 0])
        #expect(row.rate("open_rate") == nil)
        #expect(row["suppressed"] == .bool(false))
    }

    @Test func `a local trigger does not decide the base of other deliveries`() throws {
        let local = event(.sent, "n9", verified: false)
        #expect(try row(confirmedAndOpened + [local])["base"] == .text("confirmed"))
        #expect(try row(openedOnly + [local])["base"] == .text("none"))
        let own = try row([local, event(.opened, "n9")])
        #expect(own["base"] == .text("sent"))
        #expect(own.counts("sent", "base_n", "opened") == [1, 1, 1])
    }

    @Test func `the base auto means confirmed if sends cover less than half of the deliveries`() throws {
        let few = try row(all + [event(.opened, "n5")])
        #expect(few["base"] == .text("confirmed"))
        #expect(few.counts("sent", "base_n", "opened") == [2, 2, 4])
        #expect(few.rate("open_rate") == 0.5)
        let unconfirmed = try row(sentAndOpened + openedOnly + [event(.opened, "n5")])
        #expect(unconfirmed["base"] == .text("none"))
    }

    private func of(_ campaign: Identifier, _ events: [ModelEvent]) -> [ModelEvent] {
        events.map { event in
            var event = event
            event.campaign = campaign
            return event
        }
    }

    @Test func `each campaign has its own base, and so have deliveries without one`() throws {
        let events = of("a", sentAndOpened) + of("b", confirmedAndOpened) + of("c", openedOnly) + [event(.sent, "n9")]
        let rows = try rows(events) { $0.by = [.campaign] }
        #expect(rows.map { $0["campaign_id"] } == [.text("a"), .text("b"), .text("c"), .null])
        #expect(rows.map { $0["base"] } == [.text("sent"), .text("confirmed"), .text("none"), .text("sent")])
        #expect(rows.map { $0.counts("base_n", "opened") } == [[1, 1], [1, 1], [0, 1], [1, 0]])
    }

    @Test func `a row over several campaigns adds up their bases, each with its own numerators`() throws {
        let first = [event(.sent, "n1"), event(.sent, "n2"), event(.opened, "n2"), event(.opened, "n3")]
        let second = [event(.delivered, "n4"), event(.opened, "n4"), event(.delivered, "n5"), event(.opened, "n6")]
        let events = of("a", first) + of("b", second)
        let mixed = try row(events)
        #expect(mixed["base"] == .text("mixed"))
        // n3 was not sent and n6 not confirmed.
        #expect(mixed.counts("base_n", "opened", "sent", "confirmed") == [4, 4, 2, 2])
        #expect(mixed.rate("open_rate") == 0.5)
        // Of the sends, whatever the base.
        #expect(mixed.rate("delivery_rate") == 0.5)
        #expect(try row(events) { $0.base = .sent }.counts("base_n") == [2])
        #expect(try row(events) { $0.base = .confirmed }.counts("base_n") == [2])
    }

    @Test func `a row is not mixed if only one of its campaigns has a base`() throws {
        let row = try row(of("a", sentAndOpened) + of("b", openedOnly))
        #expect(row["base"] == .text("sent"))
        #expect(row.counts("base_n", "opened") == [1, 2])
    }

    @Test func `a local trigger counts neither for nor against the half that sends must cover`() throws {
        let half = sentAndOpened + confirmedAndOpened
        let local = (1...5).map { event(.sent, Identifier("local \($0)"), verified: false) }
        let covered = try row(half + local)
        #expect(covered["base"] == .text("sent"))
        #expect(covered.counts("sent", "base_n") == [6, 6])
        let less = try row(half + openedOnly + local)
        #expect(less["base"] == .text("confirmed"))
    }

    @Test func `a local trigger takes no delivery of which more is known from the half that sends must cover`() throws {
        let confirmed = (1...5).flatMap { number in [event(.delivered, Identifier("c\(number)"))] }
        let local = (1...5).map { event(.sent, Identifier("c\($0)"), verified: false) }
        #expect(try row(confirmed + sentAndOpened)["base"] == .text("confirmed"))
        #expect(try row(confirmed + local + sentAndOpened)["base"] == .text("confirmed"))
        let opened = (1...5).map { event(.opened, Identifier("c\($0)")) }
        #expect(try row(opened + sentAndOpened)["base"] == .text("none"))
        // If every delivery has some send, sends are a base.
        #expect(try row(opened + local + sentAndOpened)["base"] == .text("sent"))
    }

    @Test func `the periods of overview have the base of the later one, or of the one that has the campaign`() throws {
        let sent = of("a", [event(.sent, "n1", at: clock(8, 30)), event(.opened, "n1", at: clock(8, 31))])
        let confirmed = of("b", [event(.delivered, "n2", at: clock(8, 30)), event(.opened, "n2", at: clock(8, 31))])
        let later = of("a", [event(.delivered, "n3"), event(.opened, "n3")])
        let selection = try selection {
            $0.from = clock(10)
            $0.to = clock(12)
        }
        func openRate(_ events: [ModelEvent]) -> [ModelValue?] {
            overviewReport(events: events, declarations: Declarations(), selection: selection)
                .filter { $0["metric"] == .text("open_rate") }
                .flatMap { [$0["value"], $0["n"], $0["previous"]] }
        }
        // Campaign a is confirmed in both periods, so its earlier send counts nowhere; b has only an earlier one.
        #expect(openRate(sent + confirmed + later) == [.double(1), .int(1), .double(1)])
        #expect(openRate(sent + confirmed) == [.null, .int(0), .double(1)])
        #expect(openRate(sent + later) == [.double(1), .int(1), .null])
    }

    @Test func `the base confirmed contains only confirmed deliveries`() throws {
        let row = try row(all) { $0.base = .confirmed }
        #expect(row.counts("base_n") == [2])
        #expect(row.rate("open_rate") == 0.5)
    }

    @Test func `the requested base is used even if it is empty`() throws {
        let row = try row(openedOnly) { $0.base = .sent }
        #expect(row["base"] == .text("sent"))
        #expect(row.counts("base_n") == [0])
    }

    @Test(arguments: BaseChoice.allCases)
    func `delivery rate and coverage are shares of the sends, whatever the base`(base: BaseChoice) throws {
        let row = try row(all) { $0.base = base }
        #expect(row.rate("delivery_rate") == 1)
        #expect(row.rate("confirmation_coverage") == 0.5)
    }

    @Test func `the reply rate is a share of the deliveries whose version offers a text action`() throws {
        let declarations = Declarations(categories: [
            order(1, .init("say", title: "", textInput: true)),
            CategoryVersion("mute", 1, actions: [DeclaredAction("yes", title: "")]),
        ])
        func sent(_ notification: Identifier, _ category: Identifier) -> ModelEvent {
            event(.sent, notification) { $0.category = category }
        }
        func reply(_ notification: Identifier) -> ModelEvent {
            event(.text_input, notification) { $0.actionIdentifier = "say" }
        }
        let events = [sent("n1", "order"), reply("n1"), sent("n2", "order"), sent("n3", "mute"), reply("n3")]
        let row = try row(events, declarations)
        #expect(row.counts("replied", "reply_n") == [2, 2])
        #expect(row.rate("reply_rate") == 0.5)
    }

    @Test func `read, action and conversion rates are shares of the base`() throws {
        let events = [event(.sent, "n1"), event(.sent, "n2"), event(.read, "n1"), tap("a", "n1"), tap("b", "n3")]
        let row = try row(events)
        #expect(row.rate("read_rate") == 0.5)
        #expect(row.rate("action_rate") == 0.5)
        #expect(row.rate("conversion_rate") == 0.5)
        #expect(row.counts("acted", "converted") == [2, 2])
    }
}
