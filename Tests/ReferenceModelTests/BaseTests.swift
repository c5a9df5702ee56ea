import ReferenceModel
import Testing

@Suite struct BaseTests {
    private let sentAndOpened = [event(.sent, "n1"), event(.opened, "n1")]
    private let confirmedAndOpened = [event(.delivered, "n2"), event(.opened, "n2")]
    private let openedOnly = [event(.opened, "n3")]
    private let sentAndConfirmed = [event(.sent, "n4"), event(.delivered, "n4")]

    private var all: [ModelEvent] { sentAndOpened + confirmedAndOpened + openedOnly + sentAndConfirmed }

    @Test func `the base auto means sent if there are sends`() throws {
        let row = try row(all)
        #expect(row["base"] == .text("sent"))
        #expect(row.counts("base_n", "opened") == [2, 3])
        #expect(row.rate("open_rate") == 0.5)
    }

    @Test func `the base auto means confirmed if there are only confirmations`() throws {
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

    @Test func `the base is the same for all groups`() throws {
        let sent = event(.sent) { $0.campaign = "a" }
        let confirmed = event(.delivered, "n2") { $0.campaign = "b" }
        let rows = try rows([sent, confirmed]) { $0.by = [.campaign] }
        #expect(rows.map { $0["base"] } == [.text("sent"), .text("sent")])
        #expect(rows.map { $0.counts("base_n") } == [[1], [0]])
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
