package import Foundation

/// A value for a statement's placeholder `$n`, encoded for sending.
package struct Parameter: Sendable {
    let oid: UInt32
    let format: ResultFormat
    let bytes: [UInt8]?

    private init(_ oid: UInt32, _ bytes: [UInt8]?, format: ResultFormat = .binary) {
        self.oid = oid
        self.format = format
        self.bytes = bytes
    }

    package static func text(_ value: String?) -> Parameter { Parameter(OID.text, value.map { Array($0.utf8) }) }
    package static func int2(_ value: Int16?) -> Parameter { Parameter(OID.int2, bigEndian(value)) }
    package static func int4(_ value: Int32?) -> Parameter { Parameter(OID.int4, bigEndian(value)) }
    package static func int8(_ value: Int64?) -> Parameter { Parameter(OID.int8, bigEndian(value)) }
    package static func int8(_ value: Int) -> Parameter { .int8(Int64(value)) }
    package static func bool(_ value: Bool?) -> Parameter { Parameter(OID.bool, value.map { [$0 ? 1 : 0] }) }
    package static func bytea(_ value: [UInt8]?) -> Parameter { Parameter(OID.bytea, value) }
    package static func float8(_ value: Double?) -> Parameter { Parameter(OID.float8, bigEndian(value?.bitPattern)) }

    /// Returns a `timestamptz`.
    ///
    /// - Parameter microseconds: Microseconds since the Unix epoch.
    package static func timestamp(_ microseconds: Int64?) -> Parameter {
        Parameter(OID.timestamptz, bigEndian(microseconds.map { Timestamp(microseconds: $0).postgres }))
    }

    package static func timestamp(_ value: Timestamp?) -> Parameter { .timestamp(value?.microseconds) }

    package static func uuid(_ value: UUID?) -> Parameter {
        Parameter(OID.uuid, value.map { withUnsafeBytes(of: $0.uuid) { Array($0) } })
    }

    /// Returns a `jsonb` value; the server parses the JSON text.
    package static func jsonb(_ json: String?) -> Parameter {
        // The leading 1 is the version of jsonb's binary form.
        Parameter(OID.jsonb, json.map { [1] + Array($0.utf8) })
    }

    /// Returns a text whose type the server infers from its context.
    package static func unknown(_ value: String?) -> Parameter {
        // libpq takes text format as a C string, which ends with NUL. Link refuses values with an inner NUL.
        Parameter(OID.unknown, value.map { Array($0.utf8) + [0] }, format: .text)
    }

    package static func array(_ builder: consuming ArrayBuilder) -> Parameter {
        let oid = builder.element.arrayOID
        return Parameter(oid, builder.finish())
    }

    /// Whether libpq would truncate the value at an inner NUL.
    var wouldBeCut: Bool {
        guard self.format == .text, let bytes = self.bytes else { return false }
        return bytes.dropLast().contains(0)
    }

    private static func bigEndian<Value: FixedWidthInteger>(_ value: Value?) -> [UInt8]? {
        value.map { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }
    }
}

extension Parameter {
    package static func textArray(_ values: [String?]) -> Parameter {
        .array(.text, values) { $0.append(text: $1) }
    }

    package static func int4Array(_ values: [Int32?]) -> Parameter {
        .array(.int4, values) { $0.append(int4: $1) }
    }

    package static func int8Array(_ values: [Int64?]) -> Parameter {
        .array(.int8, values) { $0.append(int8: $1) }
    }

    package static func float8Array(_ values: [Double?]) -> Parameter {
        .array(.float8, values) { $0.append(float8: $1) }
    }

    package static func boolArray(_ values: [Bool?]) -> Parameter {
        .array(.bool, values) { $0.append(bool: $1) }
    }

    package static func byteaArray(_ values: [[UInt8]?]) -> Parameter {
        .array(.bytea, values) { $0.append(utf8: $1) }
    }

    package static func uuidArray(_ values: [UUID?]) -> Parameter {
        .array(.uuid, values) { $0.append(uuid: $1) }
    }

    /// Returns an array of `timestamptz`.
    ///
    /// - Parameter values: Microseconds since the Unix epoch.
    package static func timestampArray(_ values: [Int64?]) -> Parameter {
        .array(.timestamptz, values) { $0.append(timestamp: $1) }
    }

    private static func array<Value>(
        _ element: ElementType, _ values: [Value], _ append: (inout ArrayBuilder, Value) -> Void
    ) -> Parameter {
        var builder = ArrayBuilder(element, capacity: values.count)
        for value in values { append(&builder, value) }
        return .array(builder)
    }
}
