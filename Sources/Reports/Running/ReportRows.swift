import Postgres

/// The rows of a report: values as texts, `nil` for null.
///
/// All values are in one buffer. A report has tens of thousands of values, and a separate text for each would take
/// longer than the rest of its answer.
package struct ReportRows: Sendable, Equatable {
    /// The values in UTF-8, concatenated.
    private(set) var bytes: [UInt8] = []
    /// The end of each value in `bytes`; for a null, the bitwise complement of it.
    private(set) var ends: [Int32] = []
    /// The number of values up to the end of each row.
    private(set) var rowEnds: [Int32] = []

    /// The maximum of `size`. Values that are not UTF-8 become up to three times as long, for which 32-bit positions leave
    /// room.
    package static let maximumSize = 1 << 29

    package init() {}

    /// Whether a document of these rows is at most a megabyte or two in any format.
    package var isShort: Bool { bytes.count + 32 * ends.count <= 1 << 20 }

    /// The number of bytes that the rows take.
    package var size: Int { bytes.count + 4 * (ends.count + rowEnds.count) }

    /// Whether the rows take more than 8 MiB of memory.
    package var isLarge: Bool { size > 8 << 20 }

    package init(_ rows: some Sequence<some Sequence<String?>>) {
        for row in rows {
            for value in row { append(value) }
            endRow()
        }
    }

    mutating func append(_ value: UnsafeBufferPointer<UInt8>?) {
        if let value { bytes.append(contentsOf: value) }
        endValue(isNull: value == nil)
    }

    mutating func append(_ value: String?) {
        if var value { value.withUTF8 { bytes.append(contentsOf: $0) } }
        endValue(isNull: value == nil)
    }

    private mutating func endValue(isNull: Bool) {
        let end = Int32(bytes.count)
        ends.append(isNull ? ~end : end)
    }

    /// Completes a row with the values appended since the last one.
    mutating func endRow() {
        rowEnds.append(Int32(ends.count))
    }

    /// Removes the last row.
    mutating func removeLast() {
        let values = valuesOfRow(count - 1)
        bytes.removeSubrange(start(of: values.lowerBound)...)
        ends.removeSubrange(values.lowerBound...)
        rowEnds.removeLast()
    }

    /// Calls `body` with each value of a row and its position; `nil` is null.
    package func forEachValue<Failure>(
        ofRow row: Int, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try forEachValue(at: valuesOfRow(row), body)
    }

    fileprivate func forEachValue<Failure>(
        at values: Range<Int>, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        var start = start(of: values.lowerBound)
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            for place in values {
                let end = Int(ends[place])
                if end < 0 {
                    try body(place - values.lowerBound, nil)
                } else {
                    try body(place - values.lowerBound, UnsafeBufferPointer(rebasing: bytes[start..<end]))
                    start = end
                }
            }
        }
    }

    fileprivate func valuesOfRow(_ row: Int) -> Range<Int> {
        (row == 0 ? 0 : Int(rowEnds[row - 1]))..<Int(rowEnds[row])
    }

    fileprivate func value(_ place: Int) -> String? {
        ends[place] < 0 ? nil : String(decoding: bytes[start(of: place)..<Int(ends[place])], as: UTF8.self)
    }

    private func start(of place: Int) -> Int {
        guard place > 0 else { return 0 }
        let end = Int(ends[place - 1])
        return end < 0 ? ~end : end
    }
}

extension ReportRows: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { rowEnds.count }

    package subscript(row: Int) -> ReportRow {
        ReportRow(rows: self, places: valuesOfRow(row))
    }
}

extension ReportRows: ExpressibleByArrayLiteral {
    package init(arrayLiteral rows: [String?]...) {
        self.init(rows)
    }
}

/// The values of a row.
package struct ReportRow: RandomAccessCollection {
    fileprivate let rows: ReportRows
    fileprivate let places: Range<Int>

    package var startIndex: Int { 0 }
    package var endIndex: Int { places.count }

    package subscript(place: Int) -> String? {
        precondition(indices.contains(place), "a row has no value at that position")
        return rows.value(places.lowerBound + place)
    }
}

/// A row of values in the server's text format.
package protocol ValueRow {
    /// Calls `body` with each value and its position; `nil` is null.
    func forEachValue<Failure>(
        _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure)
}

extension ReportRow: ValueRow {
    package func forEachValue<Failure>(
        _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try rows.forEachValue(at: places, body)
    }
}

// A row of a result in text format.
extension Row: ValueRow {}
