/// One value while it is being decoded; not to be kept, as its bytes belong to the result.
package struct Cell {
    /// nil is NULL.
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

    /// The same column's cell for an element of its array.
    func element(_ bytes: UnsafeRawBufferPointer?, oid: UInt32) -> Cell {
        Cell(bytes, oid: oid, format: .binary, name: self.name)
    }

    func mismatch<T>(_ type: T.Type) -> PostgresError {
        let what = self.bytes == nil ? "is null" : "has type \(self.oid)"
        return PostgresError(.decode, "column \(self.name) \(what), which is not a \(type)")
    }

    /// The bytes, if the type is one of `oids` and the value travelled in binary.
    func binary<T>(_ type: T.Type, _ oids: UInt32...) throws(PostgresError) -> UnsafeRawBufferPointer {
        guard let bytes = self.bytes, self.format == .binary, oids.contains(self.oid) else {
            throw self.mismatch(type)
        }
        return bytes
    }

    /// The value of a text-format cell, read by the type's own initialiser from text.
    func parsed<T: LosslessStringConvertible>(_ type: T.Type) throws(PostgresError) -> T {
        guard let bytes = self.bytes, let value = T(String(decoding: bytes, as: UTF8.self)) else {
            throw self.mismatch(type)
        }
        return value
    }

    /// A big-endian number that fills the bytes.
    func number<T: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer, _ type: T.Type) throws(PostgresError) -> T {
        guard bytes.count == MemoryLayout<T>.size else { throw self.mismatch(type) }
        return T(bigEndian: bytes.loadUnaligned(as: T.self))
    }
}
