import AfterpushWire
package import Foundation

extension ReportParameter {
    /// The reason why a value is invalid, which never repeats the value.
    struct Problem: Error, Equatable {
        let detail: String
    }

    /// Returns the value for the statement or the reason why it is invalid; an empty value means none and is valid.
    func validated(_ value: String, zone: TimeZone) -> Result<String, Problem> {
        if value.isEmpty { return .success(value) }
        if value.utf8.contains(0) { return .failure(Problem(detail: "contains the character NUL")) }
        switch kind {
        case .text: return .success(value)
        case .choice(let permitted):
            return permitted.contains(value)
                ? .success(value) : fail("must be one of \(permitted.joined(separator: ", "))")
        case .list(let permitted): return list(value, permitted)
        case .time:
            guard let time = ReportTime.read(value, zone: zone) else {
                return fail(ReportTime.expectation)
            }
            return .success(time.description)
        case .zone:
            return Self.zone(value) == nil
                ? fail("must be the name of a time zone, like Europe/Berlin") : .success(value)
        case .boolean: return value == "true" || value == "false" ? .success(value) : fail("must be true or false")
        case .integer(let range): return integer(value, range)
        case .number(let range): return number(value, range)
        case .duration(let words):
            let isValid = words.contains(value) || value.wholeMatch(of: /[0-9]{1,6}[smhd]/) != nil
            let others = words.map { ", or \($0)" }.joined()
            return isValid ? .success(value) : fail("must be a duration, like 90s, 15m, 12h or 7d\(others)")
        }
    }

    /// Returns the time zone with a name that Foundation and PostgreSQL interpret in the same way.
    ///
    /// Abbreviations and names like `GMT+3` are not accepted; PostgreSQL gives the sign of the latter another meaning.
    package static func zone(_ name: String) -> TimeZone? {
        guard name == "UTC" || name.wholeMatch(of: /[A-Za-z]+(\/[A-Za-z0-9_+\-]+){1,2}/) != nil else { return nil }
        return TimeZone(identifier: name)
    }

    private func list(_ value: String, _ permitted: [String]) -> Result<String, Problem> {
        let words = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard words.allSatisfy(permitted.contains) else {
            return fail("must consist of \(permitted.joined(separator: ", ")), separated by commas")
        }
        guard words.count <= 2 else { return fail("accepts at most two") }
        guard Set(words).count == words.count else { return fail("has a duplicate") }
        // Versions are counted separately from the other dimensions, by day and platform only.
        if words.contains("app_version"), !Set(words).isSubset(of: ["app_version", "day", "platform"]) {
            return fail("accepts app_version alone, or with day or platform")
        }
        return .success(value)
    }

    private func integer(_ value: String, _ range: ClosedRange<Int64>) -> Result<String, Problem> {
        guard !value.hasPrefix("+"), let number = Int64(value) else {
            return fail("is not an integer")
        }
        if range.contains(number) { return .success(String(number)) }
        if range.upperBound == .max { return fail("must be at least \(range.lowerBound)") }
        return fail("must be between \(range.lowerBound) and \(range.upperBound)")
    }

    /// The form is narrower than what `Double` reads, because PostgreSQL reads the text once more.
    private func number(_ value: String, _ range: ClosedRange<Double>) -> Result<String, Problem> {
        guard value.wholeMatch(of: /-?[0-9]{1,15}(\.[0-9]{1,15})?/) != nil, let number = Double(value) else {
            return fail("is not a number, like 0.01")
        }
        return range.contains(number)
            ? .success(value) : fail("must be between \(range.lowerBound) and \(range.upperBound)")
    }

    private func fail(_ detail: String) -> Result<String, Problem> {
        .failure(Problem(detail: detail))
    }
}
