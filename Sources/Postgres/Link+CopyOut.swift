import CLibpq

extension Link {
    /// Sends `copy ... to stdout` and waits until the server is ready to send rows.
    func startCopyOut(_ sql: String, by deadline: Deadline) throws(PostgresError) {
        try self.start(by: deadline) { PQsendQuery($0, sql) }
        guard let result = try self.nextResult(by: deadline) else {
            throw PostgresError(.connectionLost, "the connection was lost")
        }
        if result.status == PGRES_COPY_OUT { return }
        let error =
            result.status == PGRES_FATAL_ERROR
            ? PostgresError(result: result, connectionIsLost: self.isLost)
            : PostgresError(.misuse, "not a COPY to stdout")
        while try self.nextResult(by: deadline) != nil {}
        throw error
    }

    /// Returns the next 64 KiB of rows, or the last, shorter chunk; `nil` at the end of the COPY.
    ///
    /// The server sends 8 KiB at a time; without collecting them, a fast receiver would be called for each.
    func nextCopyChunk(by deadline: Deadline) throws(PostgresError) -> [UInt8]? {
        var chunk: [UInt8] = []
        // The last row may exceed the chunk size; without this reserve the array would double its capacity.
        chunk.reserveCapacity(Self.chunkSize + 4_096)
        while chunk.count < Self.chunkSize {
            var row: UnsafeMutablePointer<CChar>?
            let length = PQgetCopyData(self.handle, &row, 1)
            if let row {
                chunk.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(length)))
                PQfreemem(row)
            } else if length == 0 {
                _ = try self.readMore(by: deadline)
            } else {
                if chunk.isEmpty == false { return chunk }
                _ = try self.finish(by: deadline)
                return nil
            }
        }
        return chunk
    }

    private static let chunkSize = 65_536
}
