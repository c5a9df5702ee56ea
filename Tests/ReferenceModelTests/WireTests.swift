import Foundation
import ReferenceModel
import Testing

@Suite struct WireTests {
    @Test func `an event is encoded as contract.md's object`() throws {
        var tap = tap("yes", at: clock(10, 1, 2) + 7)
        tap.campaign = "caf\u{E9}"
        tap.category = "order"
        tap.categoryVersion = 3
        tap.statesKind = false
        let object = try JSONDecoder().decode([String: ModelValue].self, from: json(tap))
        #expect(
            object == [
                "event_id": .text(Identifier(tap.eventID.uuidString)), "notification_id": .text("n1"),
                "device_id": .text("d1"), "action_identifier": .text("yes"), "campaign_id": .text("caf\u{E9}"),
                "category_id": .text("order"), "category_version": .int(3),
                "occurred_at": .text("2026-11-10T10:01:02.000007Z"),
            ]
        )
    }

    @Test(arguments: [
        (-1, "1969-12-31T23:59:59.999999Z"), (0, "1970-01-01T00:00:00.000000Z"),
        (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
    ])
    func `times are formatted to the microsecond`(time: Int, text: String) {
        #expect(rfc3339(time) == text)
    }
}
