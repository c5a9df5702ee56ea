package import Foundation

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

    package static func boolArray(_ values: [Bool?]) -> Parameter {
        .array(.bool, values) { $0.append(bool: $1) }
    }

    package static func uuidArray(_ values: [UUID?]) -> Parameter {
        .array(.uuid, values) { $0.append(uuid: $1) }
    }

    /// - Parameter values: microseconds since the Unix epoch.
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
