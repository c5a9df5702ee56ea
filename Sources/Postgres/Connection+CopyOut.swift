import CLibpq

extension Connection {
    /// Runs `copy ... to stdout` and hands its bytes to `receive`, in pieces of about 64 KiB, each of whole rows.
    ///
    /// The next piece is read after `receive` returns, so a slow receiver slows the server and memory stays flat. Runs
    /// in a read-only transaction; in the meantime the connection refuses other work. If `receive` throws, the
    /// connection is closed: there is no other quick way out of a COPY.
    ///
    /// - Parameters:
    ///   - statementTimeout: for the whole COPY, including a slow receiver; zero is no limit, nil the configuration's.
    ///   - replyTimeout: between two pieces; nil is the configuration's.
    ///   - settings: for its transaction, by name.
    package func copyOut(
        _ sql: String, statementTimeout: Duration? = nil, replyTimeout: Duration? = nil,
        settings: [(name: String, value: String)] = [], _ receive: @Sendable ([UInt8]) async throws -> Void
    ) async throws {
        let label = SQLText.label(sql)
        let reply = replyTimeout ?? self.configuration.replyTimeout
        let timeout = statementTimeout.map { [(name: "statement_timeout", value: String($0.milliseconds))] } ?? []
        try self.begin(.readOnlyRepeatable, settings: timeout + settings)
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

    /// The next piece, or nil at the end of the COPY.
    private func nextChunk(_ label: String, within reply: Duration) throws(PostgresError) -> [UInt8]? {
        let link = try self.openLink(for: label, whileCopying: true)
        do {
            let chunk = try link.nextCopyChunk(by: Deadline(after: reply))
            self.isCopying = chunk != nil
            return chunk
        } catch {
            // An error of the server has ended the COPY; after one of ours the link is closed.
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
