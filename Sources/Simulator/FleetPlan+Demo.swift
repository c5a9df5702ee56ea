package import AfterpushWire

extension FleetPlan {
    /// The categories of the demo's campaigns, as a document for `categories import`.
    package static let demoCategories = """
        {"categories": [
          {"identifier": "flash-sale", "options": ["customDismissAction"], "actions": [
            {"identifier": "book", "title": "Book now", "options": ["foreground"], "goal": true},
            {"identifier": "later", "title": "Not now", "options": ["destructive"]}]},
          {"identifier": "survey", "actions": [
            {"identifier": "answer", "title": "Tell us", "goal": true,
              "text_input": {"button_title": "Send", "placeholder": "What should we fix first?"}},
            {"identifier": "skip", "title": "Skip", "options": ["destructive"]}]}
        ]}
        """

    /// Returns a plan with two finished sales, a running survey and a reminder of some weeks ago. Variant b beats a in
    /// the first sale and in the survey. The reminder was held back from a third of its devices, and adds orders.
    package static func demo(now: Timestamp, seed: UInt64 = 2026) -> FleetPlan {
        func ago(hours: Double) -> Timestamp { now.advanced(by: -hours * 3_600) }
        var plan = FleetPlan(
            seed: seed, now: now, devices: 2_000,
            campaigns: [
                PlannedCampaign(
                    id: "spring-sale", name: "Spring sale", category: "flash-sale", goals: ["book"],
                    reportsDismissals: true, variants: [control(sale("a", book: 0.08)), sale("b", book: 0.14)],
                    share: 0.9, startsAt: ago(hours: 143), hours: 18),
                PlannedCampaign(
                    id: "weekend-offer", name: "Weekend offer", category: "flash-sale", goals: ["book"],
                    reportsDismissals: true, variants: [control(sale("a", book: 0.10)), sale("b", book: 0.10)],
                    share: 0.8, startsAt: ago(hours: 96), hours: 12),
                PlannedCampaign(
                    id: "how-was-it", name: "How was it?", category: "survey", goals: ["answer"],
                    variants: [control(survey("a", answer: 0.06)), survey("b", answer: 0.12)],
                    share: 0.7, startsAt: ago(hours: 130), hours: 120),
                reminder(startsAt: ago(hours: 24 * 20)),
            ])
        plan.activeFrom = ago(hours: 143)
        return plan
    }

    /// Its outcomes are orders, whose windows have all passed.
    private static func reminder(startsAt: Timestamp) -> PlannedCampaign {
        var variant = PlannedVariant(id: "a", open: 0.1)
        variant.actions = [PlannedAction("later", 0.05)]
        variant.dismiss = 0.24
        var campaign = PlannedCampaign(
            id: "we-miss-you", name: "We miss you", category: "flash-sale", goals: ["book"], reportsDismissals: true,
            variants: [variant], share: 0.9, startsAt: startsAt, hours: 20)
        campaign.holdout = 1.0 / 3
        campaign.outcome = PlannedOutcome("order", anyway: 0.08, added: 0.1)
        campaign.outcome?.cents = 1_990...8_990
        return campaign
    }

    private static func sale(_ id: String, book: Double) -> PlannedVariant {
        var variant = PlannedVariant(id: id, open: 0.16)
        variant.actions = [PlannedAction("book", book, opensApp: true), PlannedAction("later", 0.06)]
        variant.dismiss = 0.21
        variant.conversion = PlannedConversion("purchase", 0.12, cents: 990...14_990, currency: "EUR")
        return variant
    }

    private static func survey(_ id: String, answer: Double) -> PlannedVariant {
        var variant = PlannedVariant(id: id, open: 0.12)
        variant.actions = [PlannedAction("skip", 0.08)]
        variant.reply = PlannedReply("answer", answer, texts: replies)
        variant.dismiss = 0.18
        variant.responseTime = ResponseTime(medianSeconds: 900, spread: 1.8)
        return variant
    }

    private static func control(_ variant: PlannedVariant) -> PlannedVariant {
        var variant = variant
        variant.isControl = true
        return variant
    }

    private static let replies = [
        "faster checkout", "Faster checkout!", "checkout takes too long", "more sizes", "more sizes please", "all good",
        "All good, thanks", "the app is slow", "app is slow on older phones", "dark mode", "Dark mode please 🌙",
        "más tallas", "der Versand dauert zu lange", "cheaper delivery", "nothing, love it ❤️",
    ]
}
