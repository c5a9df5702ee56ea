package import Foundation

/// A type that can be decoded from a column's value.
package protocol PostgresDecodable {
    static func decode(_ cell: Cell) throws(PostgresError) -> Self
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Wrapped? {
        cell.bytes == nil ? nil : try Wrapped.decode(cell)
    }
}

extension Bool: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Bool {
        if cell.format == .text {
            switch try String.decode(cell) {
            case "t": return true
            case "f": return false
            default: throw cell.mismatch(Bool.self)
            }
        }
        return try cell.binary(Bool.self, OID.bool).first == 1
    }
}

extension String: PostgresDecodable {
    /// Decodes text, JSON, names and enumerations; other types, such as numbers, only in text format.
    package static func decode(_ cell: Cell) throws(PostgresError) -> String {
        guard let bytes = cell.bytes else { throw cell.mismatch(String.self) }
        // This is the fast path: most values are texts, and reports have many of them.
        if cell.format == .text || cell.oid == OID.text { return String(decoding: bytes, as: UTF8.self) }
        if OID.notText.contains(cell.oid) { throw cell.mismatch(String.self) }
        // The first byte of jsonb's binary form is a version.
        return String(decoding: bytes.dropFirst(cell.oid == OID.jsonb ? 1 : 0), as: UTF8.self)
    }
}

extension UUID: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> UUID {
        if cell.format == .text {
            guard let value = UUID(uuidString: try String.decode(cell)) else { throw cell.mismatch(UUID.self) }
            return value
        }
        let bytes = try cell.binary(UUID.self, OID.uuid)
        guard bytes.count == MemoryLayout<uuid_t>.size else { throw cell.mismatch(UUID.self) }
        return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
    }
}

extension Timestamp: PostgresDecodable {
    /// Decodes binary format only, because text format depends on the session's DateStyle.
    package static func decode(_ cell: Cell) throws(PostgresError) -> Timestamp {
        let bytes = try cell.binary(Timestamp.self, OID.timestamptz, OID.timestamp)
        return Timestamp(postgres: try cell.number(bytes, Int64.self))
    }
}

extension Date: PostgresDecodable {
    package static func decode(_ cell: Cell) throws(PostgresError) -> Date {
        Date(timeIntervalSince1970: Double(try Timestamp.decode(cell).microseconds) / 1_000_000)
    }
}

/// A `bytea` value.
package struct Bytes: Sendable, Hashable, PostgresDecodable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func decode(_ cell: Cell) throws(PostgresError) -> Bytes {
        Bytes(Array(try cell.binary(Bytes.self, OID.bytea)))
    }
}
