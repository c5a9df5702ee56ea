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
        let given: ReportRows = [[text]]
        var rows = ReportRows()
        try given.forEachValue(ofRow: 0) { _, value throws(Mismatch) in try append(value, to: &rows) }
        rows.endRow()
        return rows[0][0]
    }

    /// The same, as the next value of rows.
    func append(_ value: UnsafeBufferPointer<UInt8>?, to rows: inout ReportRows) throws(Mismatch) {
        guard let value else { return rows.append(nil as String?) }
        switch self {
        case .text:
            // Text of a database that knows no encoding may be no UTF-8, which JSON must be.
            return value.allSatisfy { $0 < 0x80 }
                ? rows.append(value) : rows.append(String(decoding: value, as: UTF8.self))
        case .boolean:
            if Self.is(value, "t") || Self.is(value, "true") { return rows.append("true") }
            if Self.is(value, "f") || Self.is(value, "false") { return rows.append("false") }
        case .integer:
            if Self.isInteger(value) { return rows.append(value) }
        case .number:
            if ValueScanner.takes(all: value, { $0.takeNumber() }) { return rows.append(value) }
            if ["NaN", "Infinity", "-Infinity"].contains(where: { Self.is(value, $0) }) {
                return rows.append(nil as String?)
            }
        case .time:
            if Self.isEndless(value) { return rows.append(nil as String?) }
            if let time = Self.utc(value) { return rows.append(time) }
        case .date:
            if Self.isEndless(value) { return rows.append(nil as String?) }
            if ValueScanner.takes(all: value, { $0.takeDate() }) { return rows.append(value) }
        }
        throw Mismatch(kind: self)
    }

    private static func `is`(_ value: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { value.elementsEqual($0) }
    }

    private static func isEndless(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        Self.is(value, "infinity") || Self.is(value, "-infinity")
    }

    /// Whether it is one of 64 bits.
    private static func isInteger(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        ValueScanner.takes(all: value) { scanner in
            _ = scanner.take("-")
            return scanner.takeDigits()
        } && (value.count <= 18 || Int64(String(decoding: value, as: UTF8.self)) != nil)
    }

    /// RFC 3339 from the server's `2026-11-21 10:00:00+00`, or as it is; connections have `TimeZone` UTC.
    private static func utc(_ value: UnsafeBufferPointer<UInt8>) -> String? {
        var date = 0
        var local = 0
        let isTime = ValueScanner.takes(all: value) { scanner in
            guard scanner.takeDate() else { return false }
            date = scanner.passed
            guard scanner.take(" ") || scanner.take("T"), scanner.takeTimeOfDay() else { return false }
            local = scanner.passed
            return scanner.take("Z") || scanner.takeNoOffset()
        }
        guard isTime else { return nil }
        let text = String(decoding: value, as: UTF8.self)
        return "\(text.prefix(date))T\(text.prefix(local).dropFirst(date + 1))Z"
    }
}
