import Crypto
import Foundation

/// The bytes around an entry by which it is known to be whole, and found again in a damaged file.
///
/// A mark that no text can hold (0xFF is never part of UTF-8), the entry's length, how many events are in it, SHA-256
/// of these two and the entry, and the entry itself.
enum SpoolRecord {
    static let mark: [UInt8] = [0xFF] + Array("apspool".utf8)
    /// Bytes before the entry.
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

    /// The entry of the record that begins `bytes`, and how many events are in it; nil if it is not whole.
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
