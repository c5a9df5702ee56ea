package import Foundation
package import Logging

/// The content of a log line, independent of its format.
package struct LogLine: Sendable {
    package struct Field: Sendable {
        package let name: String
        package let value: String
        /// Whether the value is a whole number, which JSON writes without quotes.
        package var isNumber = false
    }

    package let time: Date
    package let level: Logger.Level
    package let label: String
    package let message: String
    /// The metadata without nesting, in the order of the line.
    package let fields: [Field]

    package init(time: Date, level: Logger.Level, label: String, message: String, metadata: Logger.Metadata) {
        self.time = time
        self.level = level
        self.label = label
        self.message = message
        fields = Self.flat(metadata, under: "")
    }

    /// Flattens metadata: a nested value gets the names or positions on its path, joined with points, as its name.
    private static func flat(_ metadata: Logger.Metadata, under prefix: String) -> [Field] {
        metadata.sorted { $0.key < $1.key }.flatMap { flat($0.value, name: prefix + $0.key) }
    }

    private static func flat(_ value: Logger.MetadataValue, name: String) -> [Field] {
        switch value {
        case .string(let text): [Field(name: name, value: text)]
        case .stringConvertible(let value): [Field(name: name, value: "\(value)", isNumber: value is any BinaryInteger)]
        case .dictionary(let metadata): flat(metadata, under: name + ".")
        case .array(let values): values.enumerated().flatMap { flat($1, name: "\(name).\($0)") }
        }
    }
}
