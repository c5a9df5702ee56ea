/// A row of a result.
package struct Row: Sendable {
    let result: ResultHandle
    let index: Int
    package let columns: [Column]

    /// Decodes the first columns, by position, as the given types.
    ///
    /// NULL decodes only as an optional. Throws `.decode` if a value has another type or a column is missing.
    package func decode<each T: PostgresDecodable>(
        _ types: repeat (each T).Type
    ) throws(PostgresError) -> (repeat each T) {
        var column = 0
        return (repeat try self.next((each T).self, &column))
    }

    /// Decodes the first column. With the general form the type checker would see a tuple.
    package func decode<T: PostgresDecodable>(_ type: T.Type) throws(PostgresError) -> T {
        try self.decode(type, column: 0)
    }

    package func decode<T: PostgresDecodable>(_ type: T.Type, column: Int) throws(PostgresError) -> T {
        guard self.columns.indices.contains(column) else {
            throw PostgresError(.decode, "the result has no column \(column + 1)")
        }
        return try withExtendedLifetime(self.result) { () throws(PostgresError) -> T in
            try T.decode(Cell(self.result.value(row: self.index, column: column), self.columns[column]))
        }
    }

    package func isNull(_ column: Int) -> Bool {
        guard self.columns.indices.contains(column) else { return true }
        return self.result.value(row: self.index, column: column) == nil
    }

    /// Returns the server's text for a value, or `nil` for NULL; for results in text format.
    package func text(_ column: Int) -> String? {
        guard self.columns.indices.contains(column) else { return nil }
        return withExtendedLifetime(self.result) {
            self.result.value(row: self.index, column: column).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Calls `body` with each column's index and the bytes that the server sent, or `nil` for NULL.
    ///
    /// The bytes are valid until `body` returns.
    package func forEachValue<Failure>(
        _ body: (_ column: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try withExtendedLifetime(self.result) { () throws(Failure) in
            for column in self.columns.indices {
                try body(column, self.result.value(row: self.index, column: column)?.bindMemory(to: UInt8.self))
            }
        }
    }

    /// Calls `body` with the bytes of each element of an array, or `nil` for NULL.
    ///
    /// The bytes are valid until `body` returns. Those of a text are UTF-8, so a caller needs no `String` for each.
    package func forEachElement(
        _ column: Int, _ body: (UnsafeBufferPointer<UInt8>?) -> Void
    ) throws(PostgresError) {
        guard self.columns.indices.contains(column) else {
            throw PostgresError(.decode, "the result has no column \(column + 1)")
        }
        try withExtendedLifetime(self.result) { () throws(PostgresError) in
            var reader = try ArrayReader(Cell(self.result.value(row: self.index, column: column), self.columns[column]))
            for _ in 0..<reader.count { body(try reader.next().bytes?.bindMemory(to: UInt8.self)) }
        }
    }

    /// Returns a value's bytes as the server sent them, or `nil` for NULL.
    package func bytes(_ column: Int) -> [UInt8]? {
        guard self.columns.indices.contains(column) else { return nil }
        return withExtendedLifetime(self.result) {
            self.result.value(row: self.index, column: column).map { Array($0) }
        }
    }

    private func next<T: PostgresDecodable>(_ type: T.Type, _ column: inout Int) throws(PostgresError) -> T {
        defer { column += 1 }
        return try self.decode(type, column: column)
    }
}
