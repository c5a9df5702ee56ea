/// A value of a report or of an event's JSON object; text is compared by its bytes.
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
    /// Escapes unusual characters for test failures.
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

/// A row of a report with its columns in contract.md's order.
package struct ModelRow: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        package let name: String
        package let value: ModelValue
    }

    package private(set) var cells: [Cell] = []

    package var columns: [String] {
        cells.map(\.name)
    }

    /// The value of a column; nil if the row does not have the column.
    package subscript(column: String) -> ModelValue? {
        cells.first { $0.name == column }?.value
    }

    mutating func append(_ name: String, _ value: ModelValue) {
        cells.append(Cell(name: name, value: value))
    }

    mutating func append(_ more: [Cell]) {
        cells += more
    }

    func without(_ names: Set<String>) -> ModelRow {
        var row = self
        row.cells.removeAll { names.contains($0.name) }
        return row
    }
}
