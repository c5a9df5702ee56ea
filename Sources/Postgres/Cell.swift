/// A value during decoding. Its bytes belong to the result, so it must not outlive the decoding.
package struct Cell {
    /// The value's bytes, or `nil` for NULL.
    let bytes: UnsafeRawBufferPointer?
    let oid: UInt32
    let format: ResultFormat
    private let name: String

    init(_ bytes: UnsafeRawBufferPointer?, _ column: Column) {
        self.init(bytes, oid: column.oid, format: column.format, name: column.name)
    }

    private init(_ bytes: UnsafeRawBufferPointer?, oid: UInt32, format: ResultFormat, name: String) {
        self.bytes = bytes
        self.oid = oid
        self.format = format
        self.name = name
    }

    /// Returns a cell of the same column for an element of its array.
    func element(_ bytes: UnsafeRawBufferPointer?, oid: UInt32) -> Cell {
        Cell(bytes, oid: oid, format: .binary, name: self.name)
    }

    func mismatch<T>(_ type: T.Type) -> PostgresError {
        let what = self.bytes == nil ? "is null" : "has type \(self.oid)"
        return PostgresError(.decode, "column \(self.name) \(what), which is not a \(type)")
    }

    /// Returns the bytes if the type is one of `oids` and the value is in binary format.
    func binary<T>(_ type: T.Type, _ oids: UInt32...) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard let bytes = self.bytes, self.format == .binary, oids.contains(self.oid) else {
            throw self.mismatch(type)
        }
        return bytes
    }

    /// Returns the value of a cell in text format, converted by the type's initializer.
    func parsed<T: LosslessStringConvertible>(_ type: T.Type) throws(PostgresError) -> T {
        guard let bytes = self.bytes, let value = T(String(decoding: bytes, as: UTF8.self)) else {
            throw self.mismatch(type)
        }
        return value
    }

    /// Returns the big-endian number that fills the bytes.
    func number<T: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ type: T.Type) throws(PostgresError) -> T {
        guard bytes.count == MemoryLayout<T>.size else { throw self.mismatch(type) }
        return T(bigEndian: bytes.loadUnaligned(as: T.self))
    }
}
