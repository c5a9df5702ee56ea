/// A row of a report: columns in contract.md's order.
package struct ModelRow: Hashable, Sendable {
    package struct Cell: Hashable, Sendable {
        package let name: String
        package let value: ModelValue
    }

    package private(set) var cells: [Cell] = []

    package var columns: [String] {
        cells.map(\.name)
    }

    /// Nil if the row has no such column.
    package subscript(column: String) -> ModelValue? {
        cells.first { $0.name == column }?.value
    }

    mutating func append(_ name: String, _ value: ModelValue) {
        cells.append(Cell(name: name, value: value))
    }

    mutating func append(_ more: [Cell]) {
        cells += more
    }
}
