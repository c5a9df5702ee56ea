import CLibpq

/// The rows of a result, which are decoded on access.
package struct Rows: Sendable, RandomAccessCollection {
    package let columns: [Column]
    private let result: ResultHandle

    init(_ result: ResultHandle) {
        self.result = result
        self.columns = (0..<Int32(result.columnCount)).map { index in
            Column(
                name: PQfname(result.pointer, index).map { String(cString: $0) } ?? "",
                oid: PQftype(result.pointer, index),
                format: PQfformat(result.pointer, index) == 0 ? .text : .binary
            )
        }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { self.result.rowCount }

    package subscript(position: Int) -> Row {
        Row(result: self.result, index: position, columns: self.columns)
    }

    /// The number of rows inserted, updated, deleted or returned.
    package var affected: Int { self.result.affected }
}

/// A column of a result.
package struct Column: Sendable, Hashable {
    package let name: String
    /// The object identifier of the column's type, as in `pg_type`.
    package let oid: UInt32
    package let format: ResultFormat
}

/// The format of values in the protocol: the text that psql shows, or the type's binary form.
package enum ResultFormat: Int32, Sendable {
    case text = 0
    case binary = 1
}
