extension Timestamp {
    /// Parses an RFC 3339 date and time, such as `2026-11-23T10:00:00.5+01:00`. Returns nil for any other text.
    ///
    /// Fractions are truncated to microseconds.
    public init?(_ text: String) {
        var text = text
        let time = text.withUTF8 { Timestamp(rfc3339: $0.span) }
        guard let time else { return nil }
        self = time
    }

    /// Parses an RFC 3339 date and time: a full date, `T`, a full time, and `Z` or an offset, in either case.
    ///
    /// Fractions are truncated to microseconds. A leap second counts as the second after it, and is accepted only at the
    /// end of a month in UTC. Returns nil for anything else, and for moments outside the years 1 to 9999 in UTC.
    package init?(rfc3339 text: Span<UInt8>) {
        guard text.count >= 20, Self.hasSeparators(text),
            let year = Self.digits(text, at: 0, count: 4), let month = Self.digits(text, at: 5),
            let day = Self.digits(text, at: 8), let hour = Self.digits(text, at: 11), hour <= 23,
            let minute = Self.digits(text, at: 14), minute <= 59, let second = Self.digits(text, at: 17), second <= 60
        else { return nil }
        let date = CalendarDay(year: year, month: month, day: day)
        guard year >= 1, date.isValid else { return nil }

        var position = 19
        guard let fraction = Self.fraction(text, &position), let offset = Self.offset(text, position) else {
            return nil
        }
        // An Int has 32 bits on some watches: too few for the seconds since 1970.
        let seconds = Int64(date.daysSinceEpoch) * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
        if second == 60 {
            guard seconds % 86_400 == 0, CalendarDay(daysSinceEpoch: Int(seconds / 86_400)).day == 1 else { return nil }
        }
        self.init(microseconds: seconds * 1_000_000 + Int64(fraction))
        guard self >= .earliest, self <= .latest else { return nil }
    }

    private static func hasSeparators(_ text: Span<UInt8>) -> Bool {
        text[4] == UInt8(ascii: "-") && text[7] == UInt8(ascii: "-") && text[10] | 0x20 == UInt8(ascii: "t")
            && text[13] == UInt8(ascii: ":") && text[16] == UInt8(ascii: ":")
    }

    private static func digits(_ text: Span<UInt8>, at start: Int, count: Int = 2) -> Int? {
        var value = 0
        for position in start..<start + count {
            let digit = text[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Parses the fraction in microseconds: 0 without a point, nil for a point without digits.
    private static func fraction(_ text: Span<UInt8>, _ position: inout Int) -> Int? {
        guard text[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        let start = position
        var value = 0
        while position < text.count {
            let digit = text[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            if position - start < 6 { value = value * 10 + Int(digit) }
            position += 1
        }
        guard position > start else { return nil }
        for _ in min(position - start, 6)..<6 { value *= 10 }
        return value
    }

    /// Parses the offset from UTC in seconds. Returns nil unless the text ends after it.
    private static func offset(_ text: Span<UInt8>, _ position: Int) -> Int? {
        guard position < text.count else { return nil }
        if text[position] | 0x20 == UInt8(ascii: "z") { return position + 1 == text.count ? 0 : nil }
        let sign = text[position]
        guard position + 6 == text.count, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            text[position + 3] == UInt8(ascii: ":"),
            let hours = digits(text, at: position + 1), hours <= 23,
            let minutes = digits(text, at: position + 4), minutes <= 59
        else { return nil }
        let seconds = hours * 3_600 + minutes * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
