package import Foundation

/// A one-dimensional array in PostgreSQL's binary form, filled element by element.
///
/// For `insert ... select from unnest($1, ...)`: one buffer that doubles, no allocation per element. Appending a type
/// other than the element type is a programming error that the server refuses.
package struct ArrayBuilder: Sendable {
    package let element: ElementType
    package private(set) var count = 0
    private var hasNull = false
    /// The binary form of jsonb begins with its version, a byte.
    private let versionSize: Int
    /// The buffer, filled with zeros beyond `used`, so that its bytes are only written twice when it grows.
    private var storage: [UInt8]
    private var used = ArrayBuilder.headerSize

    /// The size of the header's five words: dimensions, null flag, element type, length, lower bound.
    private static let headerSize = 20

    /// Creates an empty array.
    ///
    /// - Parameter capacity: The number of elements to reserve space for; the array can grow beyond it.
    package init(_ element: ElementType, capacity: Int) {
        self.element = element
        self.versionSize = element == .jsonb ? 1 : 0
        self.storage = [UInt8](repeating: 0, count: Self.headerSize + max(capacity, 4) * element.typicalStride)
    }

    package mutating func appendNull() {
        self.hasNull = true
        self.append(lengthWord: -1, size: 0) { _ in }
    }

    package mutating func append(text: String?) {
        guard var text else { return self.appendNull() }
        text.withUTF8 { self.append(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Appends text that is already UTF-8, or the bytes of a `bytea`.
    package mutating func append(utf8: [UInt8]?) {
        guard let utf8 else { return self.appendNull() }
        utf8.withUnsafeBytes { self.append(bytes: $0) }
    }

    package mutating func append(utf8: ArraySlice<UInt8>) {
        utf8.withUnsafeBytes { self.append(bytes: $0) }
    }

    /// Appends the bytes of a text, bytea or jsonb element; the caller guarantees that text is valid UTF-8.
    package mutating func append(bytes: UnsafeRawBufferPointer) {
        self.append(size: bytes.count + self.versionSize) { [versionSize] target in
            if versionSize == 1 { target.storeBytes(of: 1, as: UInt8.self) }
            guard let source = bytes.baseAddress else { return }
            (target + versionSize).copyMemory(from: source, byteCount: bytes.count)
        }
    }

    package mutating func append(int2: Int16?) { self.append(fixed: int2) }
    package mutating func append(int4: Int32?) { self.append(fixed: int4) }
    package mutating func append(int8: Int64?) { self.append(fixed: int8) }
    package mutating func append(bool: Bool?) { self.append(fixed: bool.map { UInt8($0 ? 1 : 0) }) }
    package mutating func append(float8: Double?) { self.append(fixed: float8?.bitPattern) }

    /// Appends a `timestamptz`.
    ///
    /// - Parameter timestamp: Microseconds since the Unix epoch.
    package mutating func append(timestamp: Int64?) {
        self.append(fixed: timestamp.map { Timestamp(microseconds: $0).postgres })
    }

    package mutating func append(uuid: UUID?) {
        guard let uuid else { return self.appendNull() }
        self.append(size: MemoryLayout<uuid_t>.size) { $0.storeBytes(of: uuid.uuid, as: uuid_t.self) }
    }

    private mutating func append<Value: FixedWidthInteger>(fixed value: Value?) {
        guard let value else { return self.appendNull() }
        self.append(size: MemoryLayout<Value>.size) { $0.storeBytes(of: value.bigEndian, as: Value.self) }
    }

    /// Adds an element: its length, then `size` bytes for `fill` to write.
    ///
    /// It is inlined together with `fill`, and both share one access to the buffer, because each row has many elements.
    @inline(__always)
    private mutating func append(lengthWord: Int32? = nil, size: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
        let end = self.used + 4 + size
        if end > self.storage.count { self.grow(to: end) }
        self.storage.withUnsafeMutableBytes { [used] storage in
            guard let start = storage.baseAddress?.advanced(by: used) else { return }
            start.storeBytes(of: (lengthWord ?? Int32(truncatingIfNeeded: size)).bigEndian, as: Int32.self)
            fill(start + 4)
        }
        self.used = end
        self.count += 1
    }

    /// Makes the buffer at least twice as large.
    private mutating func grow(to end: Int) {
        let size = max(end, self.storage.count * 2)
        // Appending zeros one by one would take as long as everything else together.
        self.storage = [UInt8](unsafeUninitializedCapacity: size) { [storage] new, count in
            let bytes = UnsafeMutableRawBufferPointer(new)
            bytes.copyBytes(from: storage)
            bytes[storage.count...].initializeMemory(as: UInt8.self, repeating: 0)
            count = size
        }
    }

    /// Returns the array's binary form, without a copy if this builder is the only owner of the buffer.
    consuming func finish() -> [UInt8] {
        // An empty array has no dimensions, so it has neither length nor lower bound.
        let isEmpty = self.count == 0
        let header = [
            isEmpty ? 0 : 1, self.hasNull ? 1 : 0, self.element.oid, UInt32(truncatingIfNeeded: self.count), 1,
        ]
        self.storage.withUnsafeMutableBytes { storage in
            for (index, word) in header.enumerated() {
                storage.storeBytes(of: word.bigEndian, toByteOffset: index * 4, as: UInt32.self)
            }
        }
        self.storage.removeLast(self.storage.count - (isEmpty ? 12 : self.used))
        return self.storage
    }
}
