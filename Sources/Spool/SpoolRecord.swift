import Crypto
import Foundation

/// The format of an entry in the file, which shows whether it is complete and makes it possible to find in a damaged
/// file.
///
/// A record is a mark that no text can contain (0xFF is never part of UTF-8), the entry's length, its number of
/// events, the SHA-256 of these two and the entry, and the entry itself.
enum SpoolRecord {
    static let mark: [UInt8] = [0xFF] + Array("apspool".utf8)
    /// The number of bytes before the entry.
    static let headLength = mark.count + 8 + 32

    static func bytes(of entry: PackedEntry) -> Data {
        let numbers = [entry.bytes.count, entry.events].flatMap { number in
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        var record = Data(capacity: headLength + entry.bytes.count)
        record.append(contentsOf: mark)
        record.append(contentsOf: numbers)
        record.append(contentsOf: digest(numbers[...], entry.bytes[...]))
        record.append(contentsOf: entry.bytes)
        return record
    }

    /// Returns the entry and its number of events from the record that starts `bytes`, or `nil` if it is incomplete.
    static func entry(in bytes: ArraySlice<UInt8>) -> (bytes: ArraySlice<UInt8>, events: Int)? {
        guard bytes.count >= headLength, bytes.starts(with: mark) else { return nil }
        let numbers = bytes.dropFirst(mark.count).prefix(8)
        let stated = bytes.dropFirst(mark.count + 8).prefix(32)
        let count = number(numbers.prefix(4))
        let entry = bytes.dropFirst(headLength).prefix(count)
        guard entry.count == count, stated.elementsEqual(digest(numbers, entry)) else { return nil }
        return (entry, number(numbers.suffix(4)))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func digest(_ numbers: ArraySlice<UInt8>, _ entry: ArraySlice<UInt8>) -> SHA256Digest {
        var hash = SHA256()
        numbers.withUnsafeBytes { hash.update(bufferPointer: $0) }
        entry.withUnsafeBytes { hash.update(bufferPointer: $0) }
        return hash.finalize()
    }
}
