/// Reads a value's text byte by byte: a report has thousands of values, and a regular expression costs a hundred times as
/// much for each.
struct ValueScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// How many bytes have been read.
    private(set) var passed = 0

    /// Whether `body` takes a text from its first byte to its last.
    static func takes(all text: UnsafeBufferPointer<UInt8>, _ body: (inout ValueScanner) -> Bool) -> Bool {
        var scanner = ValueScanner(bytes: text)
        return body(&scanner) && scanner.passed == text.count
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    private var next: UInt8? { passed < bytes.count ? bytes[passed] : nil }

    /// - Returns: whether the byte was next, and is passed.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        passed += 1
        return true
    }

    /// - Returns: whether at least one digit was next; all of them are passed.
    mutating func takeDigits() -> Bool {
        takeDigits(1...Int.max)
    }

    /// - Returns: whether this many digits came next; they are consumed.
    mutating func takeDigits(_ counts: ClosedRange<Int>) -> Bool {
        var count = 0
        while count < counts.upperBound, let next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) {
            passed += 1
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
