import ReferenceModel
import Testing

@Suite struct StateTests {
    @Test(arguments: [
        ModelKind.delivered, .displayed, .read, .opened, .action, .text_input, .dismissed, .media_played, .media_paused,
        .attachment_failed, .extension_expired,
    ])
    func `these kinds of events confirm a delivery`(kind: ModelKind) throws {
        let shown = event(kind) { $0.actionIdentifier = kind == .action || kind == .text_input ? "yes" : nil }
        let row = try row([shown, event(.failed)])
        #expect(row.counts("delivered", "failed") == [1, 0])
    }

    @Test(arguments: [ModelKind.sent, .converted, .replaced])
    func `these kinds of events do not confirm a delivery`(kind: ModelKind) throws {
        let row = try row([event(kind), event(.failed)])
        #expect(row.counts("delivered", "failed") == [0, 1])
    }

    @Test func `each state has its kind of event and counts a delivery once`() throws {
        let kinds: [ModelKind] = [.sent, .delivered, .displayed, .opened, .dismissed, .read]
        let events = kinds.flatMap { [event($0), event($0)] } + [tap("a"), tap("b"), reply("c")]
        let row = try row(events)
        #expect(row.counts("sent", "confirmed", "displayed", "opened", "dismissed", "read") == [1, 1, 1, 1, 1, 1])
        #expect(row.counts("acted", "replied", "responded") == [1, 1, 1])
    }

    private func reply(_ action: Identifier) -> ModelEvent {
        event(.text_input) { $0.actionIdentifier = action }
    }

    @Test func `opening, acting, replying and dismissing count as responses, and reading and converting do not`() throws
    {
        for responding in [event(.opened), tap("a"), reply("a"), event(.dismissed)] {
            #expect(try row([responding]).counts("responded", "no_response") == [1, 0])
        }
        for other in [event(.read), event(.converted), event(.displayed)] {
            #expect(try row([other]).counts("responded", "no_response") == [0, 1])
        }
        #expect(try row([event(.replaced)]).counts("responded", "no_response", "pending") == [0, 0, 0])
    }

    @Test func `a reply counts as an action, but a tap does not count as a reply`() throws {
        #expect(try row([reply("a")]).counts("acted", "replied") == [1, 1])
        #expect(try row([tap("a")]).counts("acted", "replied") == [1, 0])
    }

    @Test func `replaced deliveries leave the denominator of the no-response rate unless they have a response`() throws
    {
        let silent = [event(.sent), event(.replaced)]
        let loud = [event(.sent, "n2"), event(.replaced, "n2"), event(.opened, "n2")]
        let plain = [event(.sent, "n3")]
        let row = try row(silent + loud + plain)
        #expect(row.counts("base_n", "closed_n", "no_response") == [3, 2, 1])
        #expect(row.rate("no_response_rate") == 0.5)
    }
}
