import Foundation

/// Formats numbers for people to read in a table.
enum NumberText {
    /// Returns a rate as a percentage, such as `12.3 %`, with a second decimal below one per cent.
    ///
    /// - Parameter sign: What is behind it: `%`, or `pp` for a difference in percentage points.
    static func percent(_ text: String, sign: String = "%") -> String {
        guard let ratio = Double(text) else { return text }
        return "\(fixed(ratio * 100, places(for: ratio))) \(sign)"
    }

    /// Returns a rate with its interval, such as `12.3 % (10.1–14.9)`, both with the decimals of the rate.
    static func percent(_ rate: String, low: String, high: String, sign: String = "%") -> String {
        guard let ratio = Double(rate), let low = Double(low), let high = Double(high) else { return rate }
        let places = places(for: ratio)
        return percent(rate, sign: sign) + interval(low * 100, high * 100, places)
    }

    /// Returns a p value with four decimals; a smaller one is only said to be smaller.
    static func probability(_ text: String) -> String {
        guard let probability = Double(text) else { return text }
        return probability < 0.0001 ? "< 0.0001" : fixed(probability, 4)
    }

    /// Returns seconds as a duration in the largest unit of which there are at least two, such as `17 min` or `4.2 h`.
    static func duration(_ text: String) -> String {
        guard let seconds = Double(text) else { return text }
        let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3_600), ("min", 60)]
        guard let unit = units.first(where: { abs(seconds) >= 2 * $0.seconds }) else {
            return fixed(seconds, abs(seconds) < 10 && seconds != seconds.rounded() ? 1 : 0) + " s"
        }
        let number = seconds / unit.seconds
        return fixed(number, abs(number) < 10 && number != number.rounded() ? 1 : 0) + " " + unit.name
    }

    /// Returns an amount of money with two decimals, or with four below one.
    static func amount(_ text: String) -> String {
        guard let amount = Double(text) else { return text }
        return fixed(amount, amountPlaces(for: amount))
    }

    /// Returns an amount with its interval, such as `2.22 (1.36–3.09)`, both with the decimals of the amount.
    static func amount(_ text: String, low: String, high: String) -> String {
        guard let amount = Double(text), let low = Double(low), let high = Double(high) else { return text }
        let places = amountPlaces(for: amount)
        return fixed(amount, places) + interval(low, high, places)
    }

    /// Returns a number with its interval, such as `13.4 (2.1–24.6)`, both with the decimals of the number.
    static func number(_ text: String, low: String, high: String) -> String {
        guard let number = Double(text), let low = Double(low), let high = Double(high) else { return text }
        let places = abs(number) >= 1000 ? 0 : abs(number) >= 10 ? 1 : 2
        return fixed(number, places) + interval(low, high, places)
    }

    /// Returns about four significant digits, without an exponent for large numbers.
    static func short(_ text: String) -> String {
        guard text.count > 6, let number = Double(text) else { return text }
        return abs(number) >= 1000 ? fixed(number, 0) : String(format: "%.4g", number)
    }

    /// Returns the bounds in parentheses. Beside a minus, a dash would be hard to read.
    private static func interval(_ low: Double, _ high: Double, _ places: Int) -> String {
        " (\(fixed(low, places))\(low < 0 ? " to " : "–")\(fixed(high, places)))"
    }

    private static func places(for ratio: Double) -> Int {
        ratio != 0 && abs(ratio) < 0.01 ? 2 : 1
    }

    private static func amountPlaces(for amount: Double) -> Int {
        amount != 0 && abs(amount) < 1 ? 4 : 2
    }

    private static func fixed(_ number: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", number)
    }
}
