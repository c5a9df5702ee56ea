package import AfterpushWire
package import Foundation

/// Writes the values of a spool entry one after another.
///
/// Numbers are big-endian, a text is preceded by its length, and an optional value by a flag that says whether it is
/// present.
package struct BinaryWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ flag: Bool) {
        bytes.append(flag ? 1 : 0)
    }

    package mutating func write(_ time: Timestamp) {
        write(time.microseconds)
    }

    package mutating func write(_ id: UUID) {
        withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ text: String) {
        write(Array(text.utf8))
    }

    package mutating func write(_ data: [UInt8]) {
        write(UInt32(clamping: data.count))
        bytes.append(contentsOf: data)
    }

    package mutating func write<Value>(_ value: Value?, _ body: (inout BinaryWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    package mutating func write(_ text: String?) {
        write(text) { $0.write($1) }
    }

    package mutating func append(_ other: BinaryWriter) {
        bytes.append(contentsOf: other.bytes)
    }
}
