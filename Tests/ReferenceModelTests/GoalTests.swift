import ReferenceModel
import Testing

@Suite struct GoalTests {
    private let plain = order(
        1,
        .init("buy", title: "Buy"),
        .init("stop", title: "Stop", options: ["foreground", "destructive"])
    )

    private func converts(
        _ action: Identifier,
        _ category: CategoryVersion,
        campaign: Campaign? = nil,
        stated: Int? = nil
    ) throws -> Bool {
        let sent = event(.sent) {
            $0.category = "order"
            $0.categoryVersion = stated
            $0.campaign = "spring"
        }
        let declarations = Declarations(categories: [category], campaigns: campaign.map { [$0] } ?? [])
        return try row([sent, tap(action)], declarations).counts("converted") == [1]
    }

    /// Whether a `converted` event so many seconds after the send counts.
    private func converts(after seconds: Int, _ campaign: Campaign?) throws -> Bool {
        let sent = event(.sent) { $0.campaign = "spring" }
        let converted = event(.converted) { $0.occurredAt = sent.occurredAt + seconds * 1_000_000 }
        let declarations = Declarations(categories: [], campaigns: campaign.map { [$0] } ?? [])
        return try row([sent, converted], declarations).counts("converted") == [1]
    }

    @Test func `a converted event counts within the conversion window after the anchor`() throws {
        #expect(try converts(after: 72 * 3_600, nil))
        #expect(try !converts(after: 72 * 3_600 + 1, nil))
        #expect(try converts(after: 0, nil))
        #expect(try !converts(after: -1, nil))
        var campaign = Campaign("spring", windowSeconds: 3_600)
        #expect(try converts(after: 3_600, campaign))
        #expect(try !converts(after: 3_601, campaign))
        campaign.conversionWindowSeconds = 60
        #expect(try !converts(after: 61, campaign))
        campaign.conversionWindowSeconds = 7_200
        #expect(try converts(after: 7_200, campaign))
    }

    @Test func `goals and weights are late if a delivery of the campaign had a response before`() throws {
        let sent = event(.sent) { $0.campaign = "spring" }
        var campaign = Campaign("spring", goalActions: ["buy"], variants: [DeclaredVariant("a")])
        func late(_ declared: Int, _ events: [ModelEvent]) throws -> [ModelValue] {
            campaign.goalsDeclaredAt = sent.occurredAt + declared * 1_000_000
            campaign.weightsDeclaredAt = sent.occurredAt + (declared + 60) * 1_000_000
            let rows = experimentReport(
                events: events, declarations: Declarations(campaigns: [campaign]), selection: try selection())
            let row = try #require(rows.first)
            return ["goals_declared_late", "weights_declared_late"].map { row[$0] ?? .null }
        }
        var tapped = tap("buy")
        tapped.occurredAt = sent.occurredAt + 30_000_000
        #expect(try late(100, [sent]) == [.bool(false), .bool(false)])
        #expect(try late(29, [sent, tapped]) == [.bool(false), .bool(true)])
        #expect(try late(31, [sent, tapped]) == [.bool(true), .bool(true)])
        #expect(try late(-60, [sent, tapped]) == [.bool(false), .bool(false)])
    }

    @Test func `without goals every action converts unless it is declared destructive`() throws {
        #expect(try converts("buy", plain))
        #expect(try !converts("stop", plain))
        #expect(try converts("undeclared", plain))
    }

    @Test func `no action of an undeclared version is destructive`() throws {
        #expect(try converts("stop", plain, stated: 7))
    }

    @Test func `only goals convert if the version has one`() throws {
        let version = order(1, .init("buy", title: "", goal: true), .init("look", title: ""))
        #expect(try converts("buy", version))
        #expect(try !converts("look", version))
        #expect(try !converts("undeclared", version))
    }

    @Test func `the campaign's goals are added to the version's`() throws {
        let version = order(1, .init("buy", title: "", goal: true), .init("look", title: ""), .init("wait", title: ""))
        let campaign = Campaign("spring", goalActions: ["look"])
        #expect(try converts("buy", version, campaign: campaign))
        #expect(try converts("look", version, campaign: campaign))
        #expect(try !converts("wait", version, campaign: campaign))
    }

    @Test func `the campaign's goals replace the default, even for destructive or undeclared actions`() throws {
        let campaign = Campaign("spring", goalActions: ["stop", "undeclared"])
        #expect(try !converts("buy", plain, campaign: campaign))
        #expect(try converts("stop", plain, campaign: campaign))
        #expect(try converts("undeclared", plain, campaign: campaign))
    }

    @Test func `the goals of other campaigns have no effect`() throws {
        #expect(try converts("buy", plain, campaign: Campaign("autumn", goalActions: ["stop"])))
    }

    @Test func `a converted event converts, and opening does not`() throws {
        #expect(try row([event(.converted)]).counts("converted") == [1])
        #expect(try row([event(.opened)]).counts("converted") == [0])
    }

    @Test func `a text input can be a goal`() throws {
        let reply = event(.text_input) { $0.actionIdentifier = "buy" }
        #expect(try row([reply]).counts("converted") == [1])
    }
}
