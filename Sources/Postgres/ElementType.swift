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

    /// The type of an array with this element type.
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

    /// The size of an element in bytes, including its length word; an estimate for types without a fixed size.
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

/// The object identifiers of the built-in types that this layer encodes or decodes. PostgreSQL never changes them.
enum OID {
    static let unknown: UInt32 = 0
    static let bool: UInt32 = 16
    static let bytea: UInt32 = 17
    static let int8: UInt32 = 20
    static let int2: UInt32 = 21
    static let int4: UInt32 = 23
    static let text: UInt32 = 25
    static let float4: UInt32 = 700
    static let float8: UInt32 = 701
    static let date: UInt32 = 1082
    static let timestamp: UInt32 = 1114
    static let timestamptz: UInt32 = 1184
    static let interval: UInt32 = 1186
    static let numeric: UInt32 = 1700
    static let uuid: UInt32 = 2950
    static let jsonb: UInt32 = 3802

    /// The types whose binary form is not text; decoding one of them as a `String` is an error.
    static let notText: Set<UInt32> = [
        bool, bytea, int8, int2, int4, float4, float8, date, timestamp, timestamptz, interval, numeric, uuid,
    ]
}
