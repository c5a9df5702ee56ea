import CLibpq

extension Link {
    /// Sends `copy ... to stdout` and waits until the server is about to send rows.
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

    /// Rows that have arrived, up to about 64 KiB, waiting for at least one; nil at the end of the COPY.
    func nextCopyChunk(by deadline: Deadline) throws(PostgresError) -> [UInt8]? {
        var chunk: [UInt8] = []
        while chunk.count < Self.chunkSize {
            var row: UnsafeMutablePointer<CChar>?
            let length = PQgetCopyData(self.handle, &row, 1)
            if let row {
                chunk.append(contentsOf: UnsafeRawBufferPointer(start: row, count: Int(length)))
                PQfreemem(row)
            } else if length == 0 {
                // What is here need not wait for what isn't.
                if chunk.isEmpty == false { return chunk }
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
