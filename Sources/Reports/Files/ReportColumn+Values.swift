extension ReportColumn {
    /// What a value of the server's text format could not be read as.
    struct Mismatch: Error {
        let kind: Kind
    }

    /// The server's text of a value in the one form that every output format starts from.
    ///
    /// Booleans become `true` and `false`, times RFC 3339 in UTC; what JSON has no number for (`NaN`, `Infinity`) and
    /// times without an end become null.
    func canonical(_ text: String) throws(Mismatch) -> String? {
        switch kind {
        case .text: return text
        case .boolean:
            if text == "t" || text == "true" { return "true" }
            if text == "f" || text == "false" { return "false" }
        case .integer:
            if Int64(text) != nil, text.utf8.first != UInt8(ascii: "+") { return text }
        case .number:
            if ["NaN", "Infinity", "-Infinity"].contains(text) { return nil }
            var scanner = ValueScanner(text)
            if scanner.takeNumber(), scanner.isAtEnd { return text }
        case .time:
            if text.hasSuffix("infinity") { return nil }
            if let time = Self.utc(text) { return time }
        case .date:
            if text.hasSuffix("infinity") { return nil }
            var scanner = ValueScanner(text)
            if scanner.takeDate(), scanner.isAtEnd { return text }
        }
        throw Mismatch(kind: kind)
    }

    /// RFC 3339 from the server's `2026-11-21 10:00:00+00`, or as it is; connections have `TimeZone` UTC.
    private static func utc(_ text: String) -> String? {
        var scanner = ValueScanner(text)
        guard scanner.takeDate() else { return nil }
        let date = scanner.passed
        guard scanner.take(" ") || scanner.take("T"), scanner.takeTimeOfDay() else { return nil }
        let local = scanner.passed.utf8.dropFirst(date.utf8.count + 1)
        guard scanner.take("Z") || scanner.takeNoOffset(), scanner.isAtEnd else { return nil }
        return "\(date)T\(Substring(local))Z"
    }
}
