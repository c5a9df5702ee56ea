extension ReportColumn.Kind {
    /// An error for a value that can't be read as this kind.
    struct Mismatch: Error {
        let kind: ReportColumn.Kind
    }

    /// Returns the canonical form of a value in the server's text format, from which all output formats start.
    ///
    /// Booleans become `true` and `false`, and times become RFC 3339 in UTC. Numbers that JSON can't represent (`NaN`,
    /// `Infinity`) and infinite times become null.
    func canonical(_ text: String) throws(Mismatch) -> String? {
        let given: ReportRows = [[text]]
        var rows = ReportRows()
        try given.forEachValue(ofRow: 0) { _, value throws(Mismatch) in try append(value, to: &rows) }
        rows.endRow()
        return rows[0][0]
    }

    /// Appends the canonical form of a value to rows.
    func append(_ value: UnsafeBufferPointer<UInt8>?, to rows: inout ReportRows) throws(Mismatch) {
        guard let value else { return rows.append(nil as String?) }
        switch self {
        case .text:
            // Text from a database without an encoding might not be UTF-8, which JSON must be.
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
            if let time = Self.inYearZero(value, Self.utc) { return rows.append(time) }
        case .date:
            if Self.isEndless(value) { return rows.append(nil as String?) }
            if ValueScanner.takes(all: value, { $0.takeDate() }) { return rows.append(value) }
            if let date = Self.inYearZero(value, Self.date) { return rows.append(date) }
        }
        throw Mismatch(kind: self)
    }

    /// Returns the server's `0001-12-31 BC` as ISO 8601 has it: `0000-12-31`. A zone's day can begin in this year if a
    /// device states the first day of the year 1, the earliest that an event can have.
    private static func inYearZero(
        _ value: UnsafeBufferPointer<UInt8>, _ read: (UnsafeBufferPointer<UInt8>) -> String?
    ) -> String? {
        let (year, era): (StaticString, StaticString) = ("0001-", " BC")
        guard value.starts(with: Self.bytes(year)), value.suffix(3).elementsEqual(Self.bytes(era)) else { return nil }
        return read(UnsafeBufferPointer(rebasing: value.dropLast(3))).map { "0000" + $0.dropFirst(4) }
    }

    private static func bytes(_ text: StaticString) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    }

    private static func date(_ value: UnsafeBufferPointer<UInt8>) -> String? {
        ValueScanner.takes(all: value) { $0.takeDate() } ? String(decoding: value, as: UTF8.self) : nil
    }

    private static func `is`(_ value: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { value.elementsEqual($0) }
    }

    private static func isEndless(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        Self.is(value, "infinity") || Self.is(value, "-infinity")
    }

    /// Whether a value is an integer of 64 bits.
    private static func isInteger(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        ValueScanner.takes(all: value) { scanner in
            _ = scanner.take("-")
            return scanner.takeDigits()
        } && (value.count <= 18 || Int64(String(decoding: value, as: UTF8.self)) != nil)
    }

    /// Returns the server's `2026-11-21 10:00:00+00` as RFC 3339; connections have `TimeZone` UTC.
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
