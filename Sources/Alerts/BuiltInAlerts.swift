/// The rules that every app has from the beginning.
package enum BuiltInAlerts {
    package static let rules: [AlertRule] = [
        rule("confirmation-coverage", "health", "flag", .texts(["low"])) {
            $0.filter = ["section": "coverage_app_version"]
            $0.series = ["platform", "item"]
            ($0.window, $0.hold, $0.every) = (.hours(24), .hours(1), .minutes(30))
        },
        rule("conversion-below-category", "conversion", "conversion_rate", .band(halfOfCategory)) {
            $0.parameters = ["by": "campaign,category", "min_n": "500", "cluster": "device"]
            $0.series = ["campaign_id", "category_id"]
            // People convert hours and days after a send. Without the delay, a campaign that was just sent would look
            // worse than its category, whose older deliveries had that time. By default, a delivery is closed after 72
            // hours.
            ($0.window, $0.delay) = (.hours(7 * 24), .hours(72))
            ($0.hold, $0.every) = (.hours(2), .hours(1))
        },
        rule("events-late", "health", "value", .bounds(below: nil, above: 0.05)) {
            // The report selects events by when they occurred, so late ones show only after they have come.
            $0.filter = ["section": "delay", "item": "over_24h"]
            ($0.window, $0.delay) = (.hours(24), .hours(24))
            ($0.hold, $0.every) = (.minutes(30), .minutes(30))
        },
        rule("rejected-share", "health", "value", .bounds(below: nil, above: 0.01)) {
            $0.filter = ["section": "intake", "item": "rejected_share"]
            ($0.window, $0.hold, $0.every) = (.hours(1), .minutes(10), .minutes(5))
        },
        rule("rollups-behind", "health", "value", .bounds(below: nil, above: 300)) {
            $0.filter = ["section": "rollups", "item": "lag"]
            ($0.window, $0.hold, $0.every) = (.hours(1), .minutes(5), .minutes(5))
        },
        rule("sample-ratio", "experiment", "sample_ratio_p_anytime", .bounds(below: 0.01, above: nil)) {
            $0.series = ["campaign_id"]
            ($0.window, $0.every) = (nil, .hours(1))
        },
        rule("spool-in-use", "health", "value", .bounds(below: nil, above: 0)) {
            $0.filter = ["section": "spool", "item": "waiting"]
            ($0.window, $0.hold, $0.every) = (.hours(1), .minutes(5), .minutes(5))
        },
    ]

    /// Less than half of the category's conversion rate.
    private static let halfOfCategory = AlertBand(reference: .group("category"), tolerance: 0.5, side: .below)

    private static func rule(
        _ name: String, _ report: String, _ column: String, _ condition: AlertCondition,
        _ change: (inout AlertRule) -> Void
    ) -> AlertRule {
        var rule = AlertRule(name: name, report: report, column: column, condition: condition)
        rule.isBuiltIn = true
        change(&rule)
        return rule
    }
}

extension Duration {
    fileprivate static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    fileprivate static func hours(_ count: Int) -> Duration { .seconds(count * 3_600) }
}
