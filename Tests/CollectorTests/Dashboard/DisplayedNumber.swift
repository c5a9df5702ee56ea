import Foundation

/// Numbers as the page shows them in American English.
enum DisplayedNumber {
    static let none = "–"

    static func count(_ value: Any?) -> String {
        guard let number = value as? NSNumber else { return none }
        return number.intValue.formatted(.number.locale(Locale(identifier: "en_US")))
    }

    static func euros(_ value: Any?) -> String {
        guard let amount = value as? NSNumber else { return none }
        return amount.doubleValue.formatted(.currency(code: "EUR").locale(Locale(identifier: "en_US")))
    }

    /// Rounds half up, as in the browser.
    static func percent(_ value: Any?) -> String {
        guard let share = (value as? NSNumber)?.doubleValue else { return none }
        let digits = share != 0 && abs(share) < 0.01 ? 2 : 1
        let scale = pow(10, Double(digits))
        // The decimal share of the report, so that a half is exact.
        let rounded = (abs(share) * 100 * scale + 1e-9).rounded(.toNearestOrAwayFromZero) / scale
        return String(format: "%.\(digits)f%%", share < 0 ? -rounded : rounded)
    }
}
