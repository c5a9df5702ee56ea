/// The complete events in a part of a segment.
///
/// Bytes that are no event end the scan if no complete event follows: they are a write that a kill has truncated. If one
/// does follow, the disk has damaged what was in between, which is counted as one event.
struct SegmentScan {
    struct Record: Equatable {
        /// The time of the event in milliseconds since 1970.
        let milliseconds: Int64
        /// The position of the JSON.
        let json: Range<Int>
        /// A Boolean value that says whether damaged bytes precede the event.
        var followsDamage = false
    }

    let bytes: [UInt8]
    private(set) var records: [Record] = []

    /// Reads the events in the bytes.
    ///
    /// - Parameter bytes: The bytes of the segment, from the beginning of an event.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var offset = 0
        while offset + RecordFrame.headerBytes < bytes.count {
            if let record = RecordFrame.decode(bytes, at: offset) {
                records.append(record)
                offset = record.json.upperBound
            } else if var record = Self.next(in: bytes, after: offset) {
                record.followsDamage = true
                records.append(record)
                offset = record.json.upperBound
            } else {
                break
            }
        }
    }

    var isDamaged: Bool { records.contains(where: \.followsDamage) }

    private static func next(in bytes: [UInt8], after offset: Int) -> Record? {
        for start in offset + 1..<max(offset + 1, bytes.count - RecordFrame.headerBytes) {
            if let record = RecordFrame.decode(bytes, at: start) { return record }
        }
        return nil
    }
}
