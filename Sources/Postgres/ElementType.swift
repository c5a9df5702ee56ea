/// The element type of an array parameter.
package enum ElementType: Sendable {
    case text, int2, int4, int8, bool, uuid, timestamptz, float8, bytea, jsonb

    var oid: UInt32 {
        switch self {
        case .text: OID.text
        case .int2: OID.int2
        case .int4: OID.int4
        case .int8: OID.int8
        case .bool: OID.bool
        case .uuid: OID.uuid
        case .timestamptz: OID.timestamptz
        case .float8: OID.float8
        case .bytea: OID.bytea
        case .jsonb: OID.jsonb
        }
    }

    /// The array type over this element type.
    var arrayOID: UInt32 {
        switch self {
        case .text: 1009
        case .int2: 1005
        case .int4: 1007
        case .int8: 1016
        case .bool: 1000
        case .uuid: 2951
        case .timestamptz: 1185
        case .float8: 1022
        case .bytea: 1001
        case .jsonb: 3807
        }
    }

    /// Bytes of one element, its length word included; a guess for types without a fixed size.
    var typicalStride: Int {
        switch self {
        case .bool: 5
        case .int2: 6
        case .int4: 8
        case .int8, .timestamptz, .float8: 12
        case .uuid: 20
        case .text, .bytea, .jsonb: 28
        }
    }
}
