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
