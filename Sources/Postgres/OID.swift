/// Object identifiers of the built-in types this layer encodes or decodes; fixed by PostgreSQL for ever.
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

    /// Types whose binary form is not text: decoding one of these as a `String` is a mistake, not a conversion.
    static let notText: Set<UInt32> = [
        bool, bytea, int8, int2, int4, float4, float8, date, timestamp, timestamptz, interval, numeric, uuid,
    ]
}
