/// A value of a report, or of an event's wire object; text is equal by its bytes.
package enum ModelValue: Hashable, Sendable {
    case null
    case int(Int)
    case double(Double)
    case text(Identifier)
    case bool(Bool)

    init(_ identifier: Identifier?) {
        self = identifier.map { .text($0) } ?? .null
    }

    init(_ double: Double?) {
        self = double.map { .double($0) } ?? .null
    }
}

extension ModelValue: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let int = try? container.decode(Int.self) {
            self = .int(int)
        } else if let double = try? container.decode(Double.self) {
            self = .double(double)
        } else {
            self = .text(Identifier(try container.decode(String.self)))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .int(let int): try container.encode(int)
        case .double(let double): try container.encode(double)
        case .text(let text): try container.encode(text.text)
        case .bool(let bool): try container.encode(bool)
        }
    }
}

extension ModelValue: CustomStringConvertible {
    /// As a reader of a test's failure wants it: odd characters are escaped.
    package var description: String {
        switch self {
        case .null: "null"
        case .int(let int): "\(int)"
        case .double(let double): "\(double)"
        case .text(let text): "\"" + text.text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
        case .bool(let bool): "\(bool)"
        }
    }
}
