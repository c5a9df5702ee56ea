package import Foundation

/// A one-dimensional array in PostgreSQL's binary form, filled element by element.
///
/// For `insert ... select from unnest($1, ...)`: one buffer that doubles, no allocation per element. Appending a type
/// other than the element type is a programming error that the server refuses.
package struct ArrayBuilder: Sendable {
    package let element: ElementType
    package private(set) var count = 0
    private var hasNull = false
    /// Zero-filled beyond `used`, so that growing is the only time the buffer is touched twice.
    private var storage: [UInt8]
    private var used = ArrayBuilder.headerSize

    /// dimensions, null flag, element type, length, lower bound: five words.
    private static let headerSize = 20

    /// - Parameter capacity: elements to make room for; more may be appended.
    package init(_ element: ElementType, capacity: Int) {
        self.element = element
        self.storage = [UInt8](repeating: 0, count: Self.headerSize + max(capacity, 4) * element.typicalStride)
    }

    package mutating func appendNull() {
        self.hasNull = true
        self.count += 1
        self.reserve(4)
        self.store(Int32(-1))
    }

    package mutating func append(text: String?) {
        guard var text else { return self.appendNull() }
        text.withUTF8 { self.append(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Text that is already UTF-8, or the bytes of a `bytea`.
    package mutating func append(utf8: [UInt8]?) {
        guard let utf8 else { return self.appendNull() }
        utf8.withUnsafeBytes { self.append(bytes: $0) }
    }

    package mutating func append(utf8: ArraySlice<UInt8>) {
        utf8.withUnsafeBytes { self.append(bytes: $0) }
    }

    /// Raw bytes of a text, bytea or jsonb element; the caller vouches for valid UTF-8.
    package mutating func append(bytes: UnsafeRawBufferPointer) {
        let version = self.element == .jsonb ? 1 : 0
        self.begin(length: bytes.count + version)
        if version == 1 { self.store(UInt8(1)) }
        let start = self.used
        self.storage.withUnsafeMutableBytes { storage in
            UnsafeMutableRawBufferPointer(rebasing: storage[start...]).copyMemory(from: bytes)
        }
        self.used += bytes.count
    }

    package mutating func append(int2: Int16?) { self.append(fixed: int2) }
    package mutating func append(int4: Int32?) { self.append(fixed: int4) }
    package mutating func append(int8: Int64?) { self.append(fixed: int8) }
    package mutating func append(bool: Bool?) { self.append(fixed: bool.map { UInt8($0 ? 1 : 0) }) }
    package mutating func append(float8: Double?) { self.append(fixed: float8?.bitPattern) }

    /// - Parameter timestamp: microseconds since the Unix epoch.
    package mutating func append(timestamp: Int64?) {
        self.append(fixed: timestamp.map { Timestamp(microseconds: $0).postgres })
    }

    package mutating func append(uuid: UUID?) {
        guard let uuid else { return self.appendNull() }
        self.begin(length: 16)
        let start = self.used
        self.storage.withUnsafeMutableBytes { $0.storeBytes(of: uuid.uuid, toByteOffset: start, as: uuid_t.self) }
        self.used += 16
    }

    private mutating func append<Value: FixedWidthInteger>(fixed value: Value?) {
        guard let value else { return self.appendNull() }
        self.begin(length: MemoryLayout<Value>.size)
        self.store(value)
    }

    private mutating func begin(length: Int) {
        self.count += 1
        self.reserve(4 + length)
        self.store(Int32(truncatingIfNeeded: length))
    }

    private mutating func store<Value: FixedWidthInteger>(_ value: Value) {
        self.storage.withUnsafeMutableBytes { [used] in
            $0.storeBytes(of: value.bigEndian, toByteOffset: used, as: Value.self)
        }
        self.used += MemoryLayout<Value>.size
    }

    private mutating func reserve(_ bytes: Int) {
        let missing = self.used + bytes - self.storage.count
        guard missing > 0 else { return }
        self.storage.append(contentsOf: repeatElement(0, count: max(missing, self.storage.count)))
    }

    /// The finished value; free of copying if this builder was the buffer's only owner.
    consuming func finish() -> [UInt8] {
        self.storage.removeLast(self.storage.count - self.used)
        self.used = 0
        self.store(Int32(self.count == 0 ? 0 : 1))
        self.store(Int32(self.hasNull ? 1 : 0))
        self.store(self.element.oid)
        self.store(Int32(truncatingIfNeeded: self.count))
        self.store(Int32(1))
        if self.count == 0 { self.storage.removeLast(8) }
        return self.storage
    }
}
