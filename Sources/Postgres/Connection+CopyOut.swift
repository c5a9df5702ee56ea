import CLibpq

extension Connection {
    /// Runs `copy ... to stdout` and passes its output to `receive` in chunks of about 64 KiB, each of whole rows.
    ///
    /// The next chunk is read after `receive` returns, so a slow receiver slows the server down and memory use stays
    /// constant. The COPY runs in a read-only transaction; until it ends the connection refuses other statements. If
    /// `receive` throws, the connection is closed, because there is no other fast way to end a COPY.
    ///
    /// - Parameters:
    ///   - statementTimeout: The time limit of the whole COPY, including a slow receiver; zero means no limit, and
    ///     `nil` the configured one.
    ///   - replyTimeout: The time limit between two chunks, or `nil` for the configured one.
    ///   - settings: Additional settings of the transaction, by name.
    ///   - opening: Statements to run before the COPY, sent together with BEGIN.
    ///   - snapshot: The name of another transaction's snapshot in which to read, or nil for a new one.
    package func copyOut(
        _ sql: String, statementTimeout: Duration? = nil, replyTimeout: Duration? = nil,
        settings: [(name: String, value: String)] = [], opening: String = "",
        snapshot: String? = nil,
        _ receive: @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let label = SQLText.label(sql)
        let reply = replyTimeout ?? self.configuration.replyTimeout
        let timeout = statementTimeout.map { [(name: "statement_timeout", value: String($0.milliseconds))] } ?? []
        let mode = snapshot.map { TransactionMode.snapshot($0) } ?? .readOnlyRepeatable
        try self.begin(mode, settings: timeout + settings, then: opening)
        do {
            try self.startCopy(sql, label, within: reply)
            while let chunk = try self.nextChunk(label, within: reply) {
                try await receive(chunk)
            }
        } catch {
            self.abandonCopy()
            throw error
        }
        try self.commit()
    }

    private func startCopy(_ sql: String, _ label: String, within reply: Duration) throws(PostgresError) {
        let link = try self.openLink(for: label)
        do {
            try link.startCopyOut(sql, by: Deadline(after: reply))
            self.isCopying = true
        } catch {
            throw self.failed(error, label, mayHaveCommitted: false)
        }
    }

    /// Returns the next chunk, or `nil` at the end of the COPY.
    private func nextChunk(_ label: String, within reply: Duration) throws(PostgresError) -> [UInt8]? {
        let link = try self.openLink(for: label, whileCopying: true)
        do {
            let chunk = try link.nextCopyChunk(by: Deadline(after: reply))
            self.isCopying = chunk != nil
            return chunk
        } catch {
            // A server error has ended the COPY; after any other error the link is closed.
            self.isCopying = false
            throw self.failed(error, label, mayHaveCommitted: false)
        }
    }

    private func abandonCopy() {
        guard self.isCopying else { return self.rollBack() }
        self.cancel()
        self.close()
    }
}
