/// The complete events in a part of a segment.
///
/// Bytes that are no event end the scan if no complete event follows: they are a write that a kill has truncated. If one
/// does follow, the disk has damaged what was in between, which is counted as one event.
///
/// The work is bounded for any bytes: the search for the next event after damage stops after 8 MiB of checksums, far more
/// than a damaged disk causes.
struct SegmentScan {
    struct Record: Equatable {
        /// The time of the event in milliseconds since 1970.
        let milliseconds: Int64
        /// The position of the JSON.
        let json: Range<Int>
        /// A Boolean value that says whether damaged bytes precede the event.
        var followsDamage = false
    }

    /// The most bytes of a segment that are read: more than a writer puts into one, and little enough for an extension.
    static let maximumBytes = 256 * 1024
    /// The most bytes of which the search for the next event computes checksums.
    private static let searchedBytes = 8 * 1024 * 1024

    /// The offset in the segment at which the scan began.
    let start: Int
    let bytes: [UInt8]
    private(set) var records: [Record] = []

    /// Reads the events in the bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the segment, from the beginning of an event.
    ///   - start: The offset of these bytes in the segment.
    init(_ bytes: [UInt8], from start: Int = 0) {
        self.bytes = bytes
        self.start = start
        var budget = Self.searchedBytes
        var offset = 0
        while offset + RecordFrame.headerBytes < bytes.count {
            if let record = RecordFrame.decode(bytes, at: offset) {
                records.append(record)
                offset = record.json.upperBound
            } else if var record = Self.next(in: bytes, after: offset, &budget) {
                record.followsDamage = true
                records.append(record)
                offset = record.json.upperBound
            } else {
                break
            }
        }
    }

    var isDamaged: Bool { records.contains(where: \.followsDamage) }

    /// Returns the first complete event after an offset, and subtracts the bytes that it computed checksums of from the
    /// budget.
    private static func next(in bytes: [UInt8], after offset: Int, _ budget: inout Int) -> Record? {
        for start in offset + 1..<max(offset + 1, bytes.count - RecordFrame.headerBytes) {
            guard let json = RecordFrame.json(in: bytes, at: start) else { continue }
            budget -= json.count
            guard budget >= 0 else { return nil }
            if let record = RecordFrame.decode(bytes, json: json) { return record }
        }
        return nil
    }
}
