package import AfterpushWire

/// What is sent to whom, and how people behave. The same plan makes the same traffic.
package struct FleetPlan: Sendable {
    package var seed: UInt64
    package var devices: Int
    package var campaigns: [SimulatedCampaign]

    /// The categories that the plan's campaigns use, as `categories import` reads them.
    package static let demoCategories = """
        {"categories": [
          {"identifier": "flash-sale", "options": ["customDismissAction"], "actions": [
            {"identifier": "book", "title": "Book now", "options": ["foreground"], "goal": true},
            {"identifier": "later", "title": "Not now", "options": ["destructive"]}]},
          {"identifier": "survey", "actions": [
            {"identifier": "answer", "title": "Tell us", "text_input": {"button_title": "Send", "placeholder": "What should we fix first?"}, "goal": true},
            {"identifier": "skip", "title": "Skip", "options": ["destructive"]}]}
        ]}
        """

    /// Two sales that are over and a survey that is still under way; b beats a in the first and the last.
    package static func demo(now: Timestamp) -> FleetPlan {
        func ago(_ hours: Int64) -> Timestamp { Timestamp(microseconds: now.microseconds - hours * 3_600_000_000) }
        func sale(_ id: String, _ book: Double, isControl: Bool) -> SimulatedCampaign.Variant {
            .init(
                id: id, isControl: isControl, opens: 0.16, actions: [("book", book), ("later", 0.06)], reply: nil,
                dismisses: 0.21)
        }
        func survey(_ id: String, _ answer: Double, isControl: Bool) -> SimulatedCampaign.Variant {
            .init(
                id: id, isControl: isControl, opens: 0.12, actions: [("skip", 0.08)], reply: ("answer", answer),
                dismisses: 0.18)
        }
        return FleetPlan(
            seed: 2026, devices: 2_000,
            campaigns: [
                SimulatedCampaign(
                    id: "spring-sale", name: "Spring sale", category: "flash-sale",
                    variants: [sale("a", 0.08, isControl: true), sale("b", 0.13, isControl: false)],
                    startsAt: ago(6 * 24), share: 0.9, reportsDismissals: true),
                SimulatedCampaign(
                    id: "weekend-offer", name: "Weekend offer", category: "flash-sale",
                    variants: [sale("a", 0.10, isControl: true), sale("b", 0.10, isControl: false)],
                    startsAt: ago(4 * 24), share: 0.8, reportsDismissals: true),
                SimulatedCampaign(
                    id: "how-was-it", name: "How was it?", category: "survey",
                    variants: [survey("a", 0.05, isControl: true), survey("b", 0.09, isControl: false)],
                    startsAt: ago(30), share: 0.7, reportsDismissals: false),
            ])
    }
}
