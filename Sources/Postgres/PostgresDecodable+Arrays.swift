extension Array: PostgresDecodable where Element: PostgresDecodable {
    /// Decodes a one-dimensional array in binary format; for `bytea` see `Bytes`.
    package static func decode(_ cell: Cell) throws(PostgresError) -> [Element] {
        var reader = try ArrayReader(cell)
        var elements: [Element] = []
        elements.reserveCapacity(reader.count)
        for _ in 0..<reader.count {
            elements.append(try Element.decode(try reader.next()))
        }
        return elements
    }
}

/// Reads the elements of a one-dimensional array in binary format.
struct ArrayReader {
    private let cell: Cell
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0
    private var oid: UInt32 = 0
    private(set) var count = 0

    init(_ cell: Cell) throws(PostgresError) {
        guard let bytes = cell.bytes, cell.format == .binary else { throw cell.mismatch([Any].self) }
        self.cell = cell
        self.bytes = bytes
        let dimensions = try self.word()
        _ = try self.word()  // whether the array has NULLs, which their lengths also show
        self.oid = UInt32(bitPattern: try self.word())
        guard dimensions != 0 else { return }
        self.count = Int(try self.word())
        _ = try self.word()  // lower bound
        guard dimensions == 1, (0...bytes.count).contains(self.count) else { throw cell.mismatch([Any].self) }
    }

    mutating func next() throws(PostgresError) -> Cell {
        let length = Int(try self.word())
        if length < 0 { return self.cell.element(nil, oid: self.oid) }
        guard self.bytes.count - self.offset >= length else { throw self.cell.mismatch([Any].self) }
        defer { self.offset += length }
        let slice = self.bytes[self.offset..<self.offset + length]
        return self.cell.element(UnsafeRawBufferPointer(rebasing: slice), oid: self.oid)
    }

    private mutating func word() throws(PostgresError) -> Int32 {
        guard self.bytes.count - self.offset >= 4 else { throw self.cell.mismatch([Any].self) }
        defer { self.offset += 4 }
        return Int32(bigEndian: self.bytes.loadUnaligned(fromByteOffset: self.offset, as: Int32.self))
    }
}
