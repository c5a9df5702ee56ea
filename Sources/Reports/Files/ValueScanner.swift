/// Reads a value's text byte by byte: a report has thousands of values, and a regular expression costs a hundred times as
/// much for each.
struct ValueScanner {
    private let text: String
    private var rest: Substring.UTF8View

    init(_ text: String) {
        self.text = text
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// What has been read so far.
    var passed: Substring { text[..<rest.startIndex] }

    /// - Returns: whether the byte was next, and is passed.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest.removeFirst()
        return true
    }

    /// - Returns: whether at least one digit was next; all of them are passed.
    mutating func takeDigits() -> Bool {
        takeDigits(1...Int.max)
    }

    /// - Returns: whether so many digits were next; they are passed.
    mutating func takeDigits(_ counts: ClosedRange<Int>) -> Bool {
        var count = 0
        while count < counts.upperBound, let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
        {
            rest.removeFirst()
            count += 1
        }
        return counts.contains(count)
    }

    /// `1`, `-1.5`, `2e-10`.
    mutating func takeNumber() -> Bool {
        _ = take("-")
        guard takeDigits() else { return false }
        if take("."), !takeDigits() { return false }
        guard take("e") else { return true }
        if !take("+") { _ = take("-") }
        return takeDigits()
    }

    /// `2026-11-21`; years may be longer.
    mutating func takeDate() -> Bool {
        takeDigits(4...Int.max) && take("-") && takeDigits(2...2) && take("-") && takeDigits(2...2)
    }

    /// `10:00:00`, `10:00:00.123`.
    mutating func takeTimeOfDay() -> Bool {
        guard takeDigits(2...2), take(":"), takeDigits(2...2), take(":"), takeDigits(2...2) else { return false }
        return !take(".") || takeDigits()
    }

    /// `+00`, `+00:00`.
    mutating func takeNoOffset() -> Bool {
        guard take("+"), take("0"), take("0") else { return false }
        return !take(":") || take("0") && take("0")
    }
}
