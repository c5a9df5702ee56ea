import Postgres

/// The values of a row as texts, nil where there is none, in one buffer: a report has tens of thousands of values, and a text of
/// its own for each would take longer than the rest of its answer.
package struct ReportRow: Sendable, Equatable {
    /// All values in UTF-8, one behind the other.
    private(set) var bytes: [UInt8] = []
    /// Where each value ends; of one that is missing the complement of that.
    private(set) var ends: [Int] = []

    init(values: Int, bytes: Int = 0) {
        ends.reserveCapacity(values)
        self.bytes.reserveCapacity(bytes)
    }

    package init(_ values: some Collection<String?>) {
        self.init(values: values.count)
        for value in values { append(value) }
    }

    /// The values of a result in text format.
    init(_ row: Row) {
        self.init(values: row.columns.count)
        row.forEachValue { append($0) }
    }

    mutating func append(_ value: UnsafeBufferPointer<UInt8>?) {
        if let value { bytes.append(contentsOf: value) }
        ends.append(value == nil ? ~bytes.count : bytes.count)
    }

    mutating func append(_ value: String?) {
        if var value { value.withUTF8 { bytes.append(contentsOf: $0) } }
        ends.append(value == nil ? ~bytes.count : bytes.count)
    }

    /// Calls `body` with each value and its place.
    func forEachValue<Failure>(
        _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
            var start = 0
            for (place, end) in ends.enumerated() {
                if end < 0 {
                    try body(place, nil)
                } else {
                    try body(place, UnsafeBufferPointer(rebasing: bytes[start..<end]))
                    start = end
                }
            }
        }
    }
}

extension ReportRow: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { ends.count }

    package subscript(place: Int) -> String? {
        let end = ends[place]
        guard end >= 0 else { return nil }
        let before = place == 0 ? 0 : ends[place - 1]
        return String(decoding: bytes[(before < 0 ? ~before : before)..<end], as: UTF8.self)
    }
}

extension ReportRow: ExpressibleByArrayLiteral {
    package init(arrayLiteral values: String?...) {
        self.init(values)
    }
}
