/// The whole events in a piece of a segment.
///
/// What is no event ends the piece if nothing whole follows: a write that a kill cut off. If something whole follows,
/// the disk lost what was between, which is counted as one event.
struct SegmentScan {
    struct Record: Equatable {
        /// When it happened, in milliseconds since 1970.
        let milliseconds: Int64
        /// Where its JSON is.
        let json: Range<Int>
        /// Whether something unreadable stands before it.
        var followsDamage = false
    }

    let bytes: [UInt8]
    private(set) var records: [Record] = []

    /// - Parameter bytes: from the beginning of an event on.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var place = 0
        while place + RecordFrame.headerBytes < bytes.count {
            if let record = RecordFrame.decode(bytes, at: place) {
                records.append(record)
                place = record.json.upperBound
            } else if var record = Self.next(in: bytes, after: place) {
                record.followsDamage = true
                records.append(record)
                place = record.json.upperBound
            } else {
                break
            }
        }
    }

    var isDamaged: Bool { records.contains(where: \.followsDamage) }

    private static func next(in bytes: [UInt8], after place: Int) -> Record? {
        for start in place + 1..<max(place + 1, bytes.count - RecordFrame.headerBytes) {
            if let record = RecordFrame.decode(bytes, at: start) { return record }
        }
        return nil
    }
}
