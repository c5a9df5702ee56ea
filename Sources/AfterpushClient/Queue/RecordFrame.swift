import AfterpushWire
import Zlib

/// The binary form of an event in a segment.
///
/// | bytes | content |
/// | --- | --- |
/// | 0 to 3 | the length of the JSON |
/// | 4 to 7 | the CRC-32 of everything that follows |
/// | 8 to 15 | the time in milliseconds since 1970 |
/// | from 16 | the JSON |
///
/// Numbers are big-endian.
enum RecordFrame {
    static let headerBytes = 16
    /// The limit for the JSON of one event. It is above the collector's, so that the collector can reject and count it.
    static let maximumBytes = 64 * 1024

    static func encode(_ json: [UInt8], at time: Timestamp) -> [UInt8] {
        var checked: [UInt8] = []
        checked.reserveCapacity(8 + json.count)
        append(UInt64(bitPattern: time.microseconds / 1_000), to: &checked)
        checked += json
        var frame: [UInt8] = []
        frame.reserveCapacity(8 + checked.count)
        append(UInt32(json.count), to: &frame)
        append(Gzip.checksum(checked[...]), to: &frame)
        return frame + checked
    }

    /// Decodes the event that begins at an offset. Returns nil if there is no complete and undamaged one.
    static func decode(_ bytes: [UInt8], at start: Int) -> SegmentScan.Record? {
        json(in: bytes, at: start).flatMap { decode(bytes, json: $0) }
    }

    /// Decodes the event whose JSON would be at a position. Returns nil if its checksum is wrong.
    static func decode(_ bytes: [UInt8], json: Range<Int>) -> SegmentScan.Record? {
        let start = json.lowerBound - headerBytes
        guard UInt64(Gzip.checksum(bytes[start + 8..<json.upperBound])) == number(bytes[start + 4..<start + 8])
        else { return nil }
        let time = Int64(bitPattern: number(bytes[start + 8..<start + 16]))
        return SegmentScan.Record(milliseconds: time, json: json)
    }

    /// Returns the position that the JSON of an event at an offset would have, or nil if it can't be complete.
    static func json(in bytes: [UInt8], at start: Int) -> Range<Int>? {
        guard start + headerBytes <= bytes.count else { return nil }
        // The number has 32 bits, as many as an Int on some watches, so it is compared before it is converted.
        let length = number(bytes[start..<start + 4])
        guard length > 0, length <= maximumBytes, Int(length) <= bytes.count - start - headerBytes else { return nil }
        return start + headerBytes..<start + headerBytes + Int(length)
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
