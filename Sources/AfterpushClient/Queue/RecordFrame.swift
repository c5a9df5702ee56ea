import AfterpushWire

/// One event in a segment: its length, a checksum of what follows, its time, and its JSON.
///
/// | bytes | hold |
/// | --- | --- |
/// | 0 to 3 | length of the JSON |
/// | 4 to 7 | CRC-32 of all that follows |
/// | 8 to 15 | milliseconds since 1970 |
/// | 16... | the JSON |
///
/// Numbers begin with their highest byte.
enum RecordFrame {
    static let headerBytes = 16
    /// More than a collector takes for one event.
    static let longest = 64 * 1024

    static func encode(_ json: [UInt8], at time: Timestamp) -> [UInt8] {
        var checked: [UInt8] = []
        checked.reserveCapacity(8 + json.count)
        append(UInt64(bitPattern: time.microseconds / 1_000), to: &checked)
        checked += json
        var frame: [UInt8] = []
        frame.reserveCapacity(8 + checked.count)
        append(UInt32(json.count), to: &frame)
        append(Compression.checksum(checked[...]), to: &frame)
        return frame + checked
    }

    /// The event that begins at a place; nil if none that is whole does.
    static func decode(_ bytes: [UInt8], at start: Int) -> SegmentScan.Record? {
        guard start + headerBytes <= bytes.count else { return nil }
        let length = Int(number(bytes[start..<start + 4]))
        let end = start + headerBytes + length
        guard length > 0, length <= longest, end <= bytes.count,
            UInt64(Compression.checksum(bytes[start + 8..<end])) == number(bytes[start + 4..<start + 8])
        else { return nil }
        let time = Int64(bitPattern: number(bytes[start + 8..<start + 16]))
        return SegmentScan.Record(milliseconds: time, json: start + headerBytes..<end)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
