/// A column of a result.
package struct Column: Sendable, Hashable {
    package let name: String
    /// The type's object identifier, as in `pg_type`.
    package let oid: UInt32
    package let format: ResultFormat
}
