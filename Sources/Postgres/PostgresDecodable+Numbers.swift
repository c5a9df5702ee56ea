extension Int64: PostgresDecodable {
    /// Decodes any integer type. `numeric`, such as the result of `sum(bigint)`, needs text format or a cast in SQL.
    package static func decode(_ cell: Cell) throws(PostgresError) -> Int64 {
        if cell.format == .text { return try cell.parsed(Int64.self) }
        let bytes = try cell.binary(Int64.self, OID.int8, OID.int4, OID.int2)
        switch bytes.count {
        case 2: return Int64(try cell.number(bytes, Int16.self))
        case 4: return Int64(try cell.number(bytes, Int32.self))
        default: return try cell.number(bytes, Int64.self)
        }
    }
}

extension Int: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Int {
        Int(try Int64.decode(cell))
    }
}

extension Int32: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Int32 {
        guard let value = Int32(exactly: try Int64.decode(cell)) else { throw cell.mismatch(Int32.self) }
        return value
    }
}

extension Int16: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Int16 {
        guard let value = Int16(exactly: try Int64.decode(cell)) else { throw cell.mismatch(Int16.self) }
        return value
    }
}

extension Double: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Double {
        if cell.format == .text { return try cell.parsed(Double.self) }
        let bytes = try cell.binary(Double.self, OID.float8, OID.float4)
        guard bytes.count == 8 else {
            return Double(Float(bitPattern: try cell.number(bytes, UInt32.self)))
        }
        return Double(bitPattern: try cell.number(bytes, UInt64.self))
    }
}
