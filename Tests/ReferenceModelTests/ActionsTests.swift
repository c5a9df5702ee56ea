import ReferenceModel
import Testing

@Suite struct ActionsTests {
    private let declarations = Declarations(categories: [
        order(1, .init("yes", title: "Yes"), .init("old", title: "Old")),
        order(2, from: clock(12), .init("yes", title: "Yes!"), .init("new", title: "New")),
    ])

    private func sent(_ notification: Identifier, at time: Int = clock(10), campaign: Identifier? = nil) -> ModelEvent {
        event(.sent, notification, at: time) {
            $0.category = "order"
            $0.campaign = campaign
        }
    }

    /// The action of each row: `yes` for a declared one, `yes?` for an undeclared one.
    private func names(_ rows: [ModelRow]) -> [String] {
        rows.map { row in
            guard case .text(let action) = row["action_id"] else { return "" }
            return row["declared"] == .bool(true) ? action.text : action.text + "?"
        }
    }

    @Test func `columns are contract.md's, in its order`() throws {
        let row = try actions([sent("n1")], declarations)[0]
        #expect(
            row.columns == [
                "category_id", "campaign_id", "variant", "action_id", "title", "declared", "offered_n", "acted",
                "total",
                "conversion", "conversion_low", "conversion_high", "p50_seconds", "suppressed",
                "reason", "design_effect", "devices", "deliveries_per_device", "base",
            ]
        )
    }

    @Test func `an action's conversion is measured among the deliveries whose version offers it`() throws {
        let events = [
            sent("n1"), sent("n2"), sent("n3", at: clock(12)),
            tap("yes", "n1"), tap("yes", "n1"), tap("yes", "n3"), tap("old", "n2"), tap("new", "n3"),
        ]
        let rows = try actions(events, declarations)
        #expect(names(rows) == ["new", "old", "yes"])
        #expect(rows.map { $0.counts("offered_n", "acted", "total") } == [[1, 1, 1], [2, 1, 1], [3, 2, 3]])
        #expect(rows.map { $0.rate("conversion") } == [1, 0.5, 2.0 / 3])
        #expect(rows.map { $0["title"] } == [.text("New"), .text("Old"), .text("Yes!")])
    }

    @Test func `taps on actions that the version did not offer have rows of their own without a rate`() throws {
        let events = [
            sent("n1"), tap("new", "n1"), tap("new", "n1"), tap("nowhere", "n1"), sent("n2", at: clock(12)),
        ]
        let rows = try actions(events, declarations)
        #expect(names(rows) == ["new", "new?", "nowhere?", "old", "yes"])
        #expect(rows[1].counts("offered_n", "acted", "total") == [0, 1, 2])
        #expect(rows[1].rate("conversion") == nil)
        #expect(rows[1]["suppressed"] == .bool(false) && rows[1]["reason"] == .text("no_base"))
        #expect(rows[1]["title"] == .text("New"))
        #expect(rows[2]["title"] == .null)
        #expect(rows[1].rate("p50_seconds") == 1860)
    }

    @Test func `every tap is undeclared if the delivery has no category or no declared version`() throws {
        let unknown = [event(.sent, "n1"), tap("yes", "n1")]
        let stated = event(.sent, "n2") {
            $0.category = "order"
            $0.categoryVersion = 9
        }
        let rows = try actions(unknown + [stated, tap("yes", "n2")], declarations) { $0.minN = 30 }
        let undeclared = rows.filter { $0["declared"] == .bool(false) }
        #expect(undeclared.map { $0["category_id"] } == [.text("order"), .null])
        #expect(undeclared.map { $0["title"] } == [.text("Yes!"), .null])
    }

    @Test func `rows are grouped by the base's category, campaign and variant`() throws {
        let events = [sent("n1", campaign: "spring"), sent("n2", campaign: "autumn"), sent("n3"), tap("yes", "n2")]
        let rows = try actions(events, declarations).filter { $0["action_id"] == .text("yes") }
        #expect(rows.map { $0["campaign_id"] } == [.text("autumn"), .text("spring"), .null])
        #expect(rows.map { $0.counts("offered_n", "acted") } == [[1, 1], [1, 0], [1, 0]])
    }

    @Test func `an action outside the base is counted, but not in the rate`() throws {
        let outside = tap("yes", "n2") { $0.category = "order" }
        let row = try actions([sent("n1"), outside], declarations).filter { $0["action_id"] == .text("yes") }[0]
        #expect(row.counts("offered_n", "acted") == [1, 1])
        #expect(row.rate("conversion") == 0)
    }

    @Test func `declared sends are offered the actions of their version`() throws {
        var declarations = declarations
        declarations.sends = [
            declaredSend(10, at: clock(11, 59)) { $0.category = "order" },
            declaredSend(30, at: clock(12)) { $0.category = "order" },
            declaredSend(50),
        ]
        let tapped = tap("yes") {
            $0.campaign = "spring"
            $0.category = "order"
        }
        let rows = try actions([tapped], declarations)
        #expect(names(rows) == ["new", "old", "yes"])
        #expect(rows.map { $0.counts("offered_n", "acted") } == [[30, 0], [10, 0], [40, 1]])
        #expect(rows[2].rate("conversion") == 1.0 / 40)
    }

    @Test func `an action of the newest version that was never offered has a row unless its category is retired`()
        throws
    {
        let nothing = try actions([], declarations)
        #expect(names(nothing) == ["new", "yes"])
        #expect(nothing.map { $0["campaign_id"] } == [.null, .null])
        #expect(nothing[0].counts("offered_n", "acted", "total") == [0, 0, 0])
        #expect(nothing[0]["p50_seconds"] == .null)
        var retired = declarations
        retired.categories[1].retired = true
        #expect(try actions([], retired).isEmpty)
        retired.categories[0].retired = true
        retired.categories[1].retired = false
        #expect(try actions([], retired).count == 2)
    }

    @Test
    func
        `an action that was never offered has a row beside undeclared rows, but not beside a declared one of any group`()
        throws
    {
        let offered = try actions([sent("n1", at: clock(12), campaign: "spring")], declarations)
        #expect(offered.count == 2)
        let notOffered = try actions([sent("n1", campaign: "spring"), tap("new", "n1")], declarations)
        let new = notOffered.filter { $0["action_id"] == .text("new") }
        #expect(new.map { $0["declared"] } == [.bool(false), .bool(true)])
        #expect(notOffered.last?["campaign_id"] == .null)
    }

    @Test
    func
        `filters by campaign, variant or platform remove actions that were never offered, a filter by category does not`()
        throws
    {
        #expect(try actions([], declarations) { $0.campaign = "spring" }.isEmpty)
        #expect(try actions([], declarations) { $0.variant = "A" }.isEmpty)
        #expect(try actions([], declarations) { $0.platform = "ios" }.isEmpty)
        #expect(try actions([], declarations) { $0.category = "other" }.isEmpty)
        #expect(try actions([], declarations) { $0.category = "order" }.count == 2)
    }

    @Test func `the conversion is suppressed below min_n`() throws {
        let row = try actions([sent("n1"), tap("yes", "n1")], declarations) { $0.minN = 2 }.last
        #expect(row?.rate("conversion") == nil)
        #expect(row?["suppressed"] == .bool(true) && row?["reason"] == .text("few"))
    }
}
