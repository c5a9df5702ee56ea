extension ReportColumn.Kind {
    /// What a value of the server's text format could not be read as.
    struct Mismatch: Error {
        let kind: ReportColumn.Kind
    }

    /// The server's text of a value in the one form that every output format starts from.
    ///
    /// Booleans become `true` and `false`, times RFC 3339 in UTC; what JSON has no number for (`NaN`, `Infinity`) and
    /// times without an end become null.
    func canonical(_ text: String) throws(Mismatch) -> String? {
        switch self {
        case .text: return text
        case .boolean:
            if text == "t" || text == "true" { return "true" }
            if text == "f" || text == "false" { return "false" }
        case .integer:
            if Int64(text) != nil, text.utf8.first != UInt8(ascii: "+") { return text }
        case .number:
            if ValueScanner.takes(all: text, { $0.takeNumber() }) { return text }
            if ["NaN", "Infinity", "-Infinity"].contains(text) { return nil }
        case .time:
            if text.hasSuffix("infinity") { return nil }
            if let time = Self.utc(text) { return time }
        case .date:
            if text.hasSuffix("infinity") { return nil }
            if ValueScanner.takes(all: text, { $0.takeDate() }) { return text }
        }
        throw Mismatch(kind: self)
    }

    /// RFC 3339 from the server's `2026-11-21 10:00:00+00`, or as it is; connections have `TimeZone` UTC.
    private static func utc(_ text: String) -> String? {
        var date = 0
        var local = 0
        let isTime = ValueScanner.takes(all: text) { scanner in
            guard scanner.takeDate() else { return false }
            date = scanner.passed
            guard scanner.take(" ") || scanner.take("T"), scanner.takeTimeOfDay() else { return false }
            local = scanner.passed
            return scanner.take("Z") || scanner.takeNoOffset()
        }
        guard isTime else { return nil }
        return "\(text.prefix(date))T\(text.prefix(local).dropFirst(date + 1))Z"
    }
}
