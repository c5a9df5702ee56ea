package import Postgres

/// The rows of a report: values as texts, `nil` for null.
///
/// All values are in one buffer. A report has tens of thousands of values, and a separate text for each would take
/// longer than the rest of its answer.
package struct ReportRows: Sendable, Equatable {
    /// The values in UTF-8, concatenated.
    private(set) var bytes: [UInt8] = []
    /// The end of each value in `bytes`; for a null, the bitwise complement of it.
    private(set) var ends: [Int] = []
    /// The number of values up to the end of each row.
    private(set) var rowEnds: [Int] = []

    package init() {}

    /// Whether a document of these rows is at most a megabyte or two in any format.
    package var isShort: Bool { bytes.count + 32 * ends.count <= 1 << 20 }

    /// Whether the rows take more than 8 MiB of memory. With a hundred thousand rows, they can take a hundred.
    package var isLarge: Bool { bytes.count + 8 * (ends.count + rowEnds.count) > 8 << 20 }

    package init(_ rows: some Sequence<some Sequence<String?>>) {
        for row in rows {
            for value in row { append(value) }
            endRow()
        }
    }

    /// Copies a result whose rows are arrays of texts.
    init(arrays rows: some Sequence<Row>) throws(PostgresError) {
        for row in rows {
            try row.forEachElement(0) { append($0) }
            endRow()
        }
    }

    mutating func append(_ value: UnsafeBufferPointer<UInt8>?) {
        if let value { bytes.append(contentsOf: value) }
        ends.append(value == nil ? ~bytes.count : bytes.count)
    }

    mutating func append(_ value: String?) {
        if var value { value.withUTF8 { bytes.append(contentsOf: $0) } }
        ends.append(value == nil ? ~bytes.count : bytes.count)
    }

    /// Completes a row with the values appended since the last one.
    mutating func endRow() {
        rowEnds.append(ends.count)
    }

    /// Reserves space for this many rows and values of typical lengths.
    mutating func reserveCapacity(rows: Int, columns: Int) {
        bytes.reserveCapacity(16 * rows * columns)
        ends.reserveCapacity(rows * columns)
        rowEnds.reserveCapacity(rows)
    }

    package func forEachValue<Failure>(
        ofRow row: Int, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        let values = valuesOfRow(row)
        var start = start(of: values.lowerBound)
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            for place in values {
                let end = ends[place]
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
        (row == 0 ? 0 : rowEnds[row - 1])..<rowEnds[row]
    }

    fileprivate func value(_ place: Int) -> String? {
        ends[place] < 0 ? nil : String(decoding: bytes[start(of: place)..<ends[place]], as: UTF8.self)
    }

    private func start(of place: Int) -> Int {
        guard place > 0 else { return 0 }
        let end = ends[place - 1]
        return end < 0 ? ~end : end
    }
}

extension ReportRows: ValueRows {}

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

/// A collection of rows with values in the server's text format.
package protocol ValueRows: RandomAccessCollection where Index == Int {
    /// Calls `body` with each value of a row and its position; `nil` is null.
    func forEachValue<Failure>(
        ofRow row: Int, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure)
}

// The rows of a result in text format.
extension Rows: ValueRows {
    package func forEachValue<Failure>(
        ofRow row: Int, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try self[row].forEachValue(body)
    }
}
