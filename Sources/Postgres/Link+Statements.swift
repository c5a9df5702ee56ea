import CLibpq

extension Link {
    /// Runs one statement with the extended protocol.
    ///
    /// - Parameters:
    ///   - name: The name of a prepared statement, or `nil` to send the text.
    ///   - body: Is called with each row as it arrives, as a result of one row, if the statement asks for that. The
    ///     returned result has no rows then.
    func run(
        _ statement: Statement, name: String?, by deadline: Deadline, eachRow body: (ResultHandle) -> Void = { _ in }
    ) throws(PostgresError) -> ResultHandle {
        if statement.parameters.contains(where: \.wouldBeCut) {
            throw PostgresError(.encode, "a text of unknown type contains NUL")
        }
        let types = statement.parameters.map(\.oid)
        let lengths = statement.parameters.map { Int32(truncatingIfNeeded: $0.bytes?.count ?? 0) }
        let formats = statement.parameters.map(\.format.rawValue)
        let count = Int32(statement.parameters.count)
        try self.start(by: deadline) { handle in
            let sent = Self.withPointers(statement.parameters[...]) { values in
                if let name {
                    PQsendQueryPrepared(
                        handle, name, count, values, lengths, formats, statement.format.rawValue)
                } else {
                    PQsendQueryParams(
                        handle, statement.sql, count, types, values, lengths, formats, statement.format.rawValue)
                }
            }
            // libpq takes the mode only between sending and the first read.
            return sent == 1 && statement.isReadByRow ? PQsetSingleRowMode(handle) : sent
        }
        return try self.finish(by: deadline, eachRow: body)
    }

    func prepare(_ statement: Statement, name: String, by deadline: Deadline) throws(PostgresError) {
        let types = statement.parameters.map(\.oid)
        _ = try self.perform(by: deadline) { PQsendPrepare($0, name, statement.sql, Int32(types.count), types) }
    }

    /// Returns a statement's result columns, as a result without rows.
    func describe(_ sql: String, by deadline: Deadline) throws(PostgresError) -> ResultHandle {
        _ = try self.perform(by: deadline) { PQsendPrepare($0, "", sql, 0, nil) }
        return try self.perform(by: deadline) { PQsendDescribePrepared($0, "") }
    }

    func script(_ sql: String, by deadline: Deadline) throws(PostgresError) -> ResultHandle {
        try self.perform(by: deadline) { PQsendQuery($0, sql) }
    }

    /// Calls `body` with the addresses of all values without copying them; each level of the recursion pins one value.
    private static func withPointers(
        _ parameters: ArraySlice<Parameter>, _ found: [UnsafePointer<CChar>?] = [],
        _ body: ([UnsafePointer<CChar>?]) -> Int32
    ) -> Int32 {
        guard let parameter = parameters.first else { return body(found) }
        let rest = parameters.dropFirst()
        guard let bytes = parameter.bytes else { return Self.withPointers(rest, found + [nil], body) }
        // A null pointer means NULL, so an empty value needs an address, too.
        if bytes.isEmpty { return "".withCString { Self.withPointers(rest, found + [$0], body) } }
        return bytes.withUnsafeBytes {
            Self.withPointers(rest, found + [$0.assumingMemoryBound(to: CChar.self).baseAddress], body)
        }
    }
}
