import ReferenceModel
import Testing

@Suite struct DimensionTests {
    /// The only group of the given events, as text; nil is unknown.
    private func group(_ events: [ModelEvent], by grouping: Grouping) throws -> String? {
        let rows = try rows(events) { $0.by = [grouping] }
        try #require(rows.count == 1)
        if case .text(let text) = rows[0][grouping.column] { return text.text }
        return nil
    }

    private func stating(_ kind: ModelKind, _ change: (inout ModelEvent) -> Void) -> ModelEvent {
        event(kind, "n1", change)
    }

    @Test func `a send takes precedence over a confirmation, and a confirmation over a response`() throws {
        let sent = stating(.sent) { $0.platform = "web" }
        let confirmed = stating(.delivered) { $0.platform = "ios" }
        let opened = stating(.opened) { $0.platform = "android" }
        #expect(try group([opened, confirmed, sent], by: .platform) == "web")
        #expect(try group([opened, confirmed], by: .platform) == "ios")
        #expect(try group([opened], by: .platform) == "android")
    }

    @Test func `a confirmation fills each dimension that the send leaves open`() throws {
        let sent = stating(.sent) { $0.campaign = "spring" }
        let confirmed = stating(.delivered) {
            $0.campaign = "autumn"
            $0.appVersion = "1.9"
        }
        #expect(try group([sent, confirmed], by: .campaign) == "spring")
        #expect(try group([sent, confirmed], by: .app_version) == "1.9")
    }

    @Test func `an unverified response fills no dimension if there is a send or a confirmation`() throws {
        let opened = stating(.opened) { $0.campaign = "spring" }
        #expect(try group([stating(.sent) { _ in }, opened], by: .campaign) == nil)
        #expect(try group([stating(.delivered) { _ in }, opened], by: .campaign) == nil)
    }

    @Test func `a pair of dimensions comes from a single event`() throws {
        let sent = stating(.sent) { $0.campaign = "spring" }
        let confirmed = stating(.delivered) {
            $0.campaign = "spring"
            $0.variant = "A"
        }
        #expect(try group([sent, confirmed], by: .variant) == nil)
    }

    @Test func `a variant without a campaign is ignored`() throws {
        let sent = stating(.sent) { $0.variant = "A" }
        #expect(try group([sent], by: .variant) == nil)
        let confirmed = stating(.delivered) {
            $0.campaign = "spring"
            $0.variant = "B"
        }
        #expect(try group([sent, confirmed], by: .variant) == "B")
    }

    @Test func `the smallest of several pairs wins, and absent values sort last`() throws {
        let bare = stating(.sent) { $0.campaign = "spring" }
        let withB = stating(.sent) {
            $0.campaign = "spring"
            $0.variant = "B"
        }
        let smaller = stating(.sent) {
            $0.campaign = "Spring"
            $0.variant = "Z"
        }
        #expect(try group([bare, withB], by: .variant) == "B")
        #expect(try group([bare, withB, smaller], by: .variant) == "Z")
        #expect(try group([smaller, withB], by: .campaign) == "Spring")
    }

    @Test func `values are ordered by their bytes`() throws {
        let composed = stating(.sent) { $0.campaign = "\u{E9}" }
        let decomposed = stating(.sent) { $0.campaign = "e\u{301}" }
        let f = stating(.sent) { $0.campaign = "f" }
        #expect(try group([composed, f], by: .campaign) == "f")
        #expect(Array(try #require(try group([composed, f, decomposed], by: .campaign)).utf8) == [0x65, 0xCC, 0x81])
    }

    @Test func `versions are ordered as integers`() throws {
        let offers = { (id: Identifier) in [DeclaredAction(id, title: "")] }
        let declarations = Declarations(categories: [
            CategoryVersion("order", 9, effectiveFrom: 0, actions: offers("nine")),
            CategoryVersion("order", 10, effectiveFrom: 0, actions: offers("ten")),
        ])
        let events = [9, 10].map { version in
            stating(.sent) {
                $0.category = "order"
                $0.categoryVersion = version
            }
        }
        let offered = try actions(events, declarations).filter { $0.counts("offered_n") == [1] }
        #expect(offered.map { $0["action_id"] } == [.text("nine")])
    }
}
