import ReferenceModel
import Testing

@Suite struct GroupingTests {
    private func sent(_ campaign: Identifier?, _ platform: Identifier?) -> ModelEvent {
        event(.sent, Identifier("\(campaign?.text ?? "-")/\(platform?.text ?? "-")")) {
            $0.campaign = campaign
            $0.platform = platform
        }
    }

    @Test func `rows are sorted by the bytes of the grouping columns, nulls last`() throws {
        let events = [sent("b", "web"), sent(nil, "ios"), sent("a", nil), sent("a", "web"), sent("B", "ios")]
        let rows = try rows(events) { $0.by = [.campaign, .platform] }
        let keys = rows.map { [$0["campaign_id"], $0["platform"]] }
        #expect(
            keys == [
                [.text("B"), .text("ios")], [.text("a"), .text("web")], [.text("a"), .null],
                [.text("b"), .text("web")], [.null, .text("ios")],
            ]
        )
    }

    @Test func `columns are contract.md's, in its order`() throws {
        let row = try rows([event(.sent)]) { $0.by = [.hour, .category] }[0]
        let rates = [
            "delivery_rate", "confirmation_coverage", "open_rate", "action_rate", "conversion_rate", "reply_rate",
            "dismiss_rate", "dismiss_coverage", "read_rate", "no_response_rate",
        ].flatMap { [$0, $0 + "_low", $0 + "_high"] }
        let expected =
            [
                "hour", "category_id", "sent", "failed", "delivered", "confirmed", "displayed", "opened", "acted",
                "replied",
                "dismissed", "read", "responded", "converted", "no_response", "pending", "base", "base_n", "reply_n",
                "dismiss_n", "closed_n",
            ] + rates + [
                "suppressed", "reason", "design_effect", "devices", "deliveries_per_device", "response_rate",
                "response_rate_low", "response_rate_high",
            ]
        #expect(row.columns == expected)
    }

    @Test func `a report without grouping has one row, even without data`() throws {
        #expect(try rows([]).count == 1)
        #expect(try rows([]) { $0.by = [.platform] }.isEmpty)
    }

    @Test func `a filter excludes other values and unknown ones`() throws {
        func stating(_ notification: Identifier, _ value: Identifier) -> ModelEvent {
            event(.sent, notification) {
                $0.campaign = value
                $0.category = value
                $0.variant = value
                $0.platform = value
            }
        }
        let events = [stating("n1", "x"), stating("n2", "X"), event(.sent, "n3")]
        #expect(try row(events) { $0.campaign = "x" }.counts("sent") == [1])
        #expect(try row(events) { $0.category = "x" }.counts("sent") == [1])
        #expect(try row(events) { $0.variant = "x" }.counts("sent") == [1])
        #expect(try row(events) { $0.platform = "x" }.counts("sent") == [1])
    }
}
