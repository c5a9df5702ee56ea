import CLibpq

/// The rows of a result, decoded when they are asked for.
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

    /// Rows inserted, updated, deleted or returned.
    package var affected: Int { self.result.affected }
}
