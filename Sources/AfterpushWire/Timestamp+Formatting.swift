extension Timestamp: CustomStringConvertible {
    /// The RFC 3339 form in UTC, with 0, 3 or 6 fraction digits: the fewest that represent the moment exactly.
    public var description: String {
        // An Int has 32 bits on some watches: too few for all but the parts of a day.
        let (seconds, fractionOfSecond) = Self.divide(microseconds, by: 1_000_000)
        let (days, secondsOfDay) = Self.divide(seconds, by: 86_400)
        let (fraction, secondOfDay) = (Int(fractionOfSecond), Int(secondsOfDay))
        let date = CalendarDay(daysSinceEpoch: Int(days))
        var text = [UInt8]()
        text.reserveCapacity(27)
        Self.append(date.year, digits: 4, to: &text)
        text.append(UInt8(ascii: "-"))
        Self.append(date.month, to: &text)
        text.append(UInt8(ascii: "-"))
        Self.append(date.day, to: &text)
        text.append(UInt8(ascii: "T"))
        Self.append(secondOfDay / 3_600, to: &text)
        text.append(UInt8(ascii: ":"))
        Self.append(secondOfDay / 60 % 60, to: &text)
        text.append(UInt8(ascii: ":"))
        Self.append(secondOfDay % 60, to: &text)
        if fraction != 0 {
            text.append(UInt8(ascii: "."))
            let isMilliseconds = fraction % 1_000 == 0
            Self.append(isMilliseconds ? fraction / 1_000 : fraction, digits: isMilliseconds ? 3 : 6, to: &text)
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Divides and rounds down, so that the remainder isn't negative for moments before 1970.
    private static func divide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = value % divisor
        return remainder < 0 ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
    }

    private static func append(_ number: Int, digits: Int = 2, to text: inout [UInt8]) {
        let written = String(abs(number)).utf8
        if number < 0 { text.append(UInt8(ascii: "-")) }
        text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, digits - written.count)))
        text.append(contentsOf: written)
    }
}
