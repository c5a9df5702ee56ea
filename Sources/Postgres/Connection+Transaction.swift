import CLibpq

extension Connection {
    /// Runs `body` between BEGIN and COMMIT; an error of it rolls back and is thrown on.
    ///
    /// The body is synchronous, so that nothing else gets in between. Nothing is retried. If the answer to COMMIT is
    /// lost, the error's `isUnknownOutcome` is true; in all other cases an error means that nothing has changed.
    package func transaction<T: Sendable>(
        _ mode: TransactionMode = .readWrite, _ body: @Sendable (isolated Connection) throws -> T
    ) throws -> T {
        try self.begin(mode)
        let value: T
        do {
            value = try body(self)
        } catch {
            self.rollBack()
            throw error
        }
        try self.commit()
        return value
    }

    /// Runs `body` over one snapshot, read-only. Nothing of it stays, neither settings nor locks, whatever it did.
    ///
    /// - Parameter settings: by name, for as long as it lasts.
    package func snapshot<T: Sendable>(
        settings: [String: String] = [:], _ body: @Sendable (isolated Connection) throws -> T
    ) throws -> T {
        try self.begin(.readOnlyRepeatable, settings: settings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        defer { self.discard() }
        return try body(self)
    }

    /// - Parameter settings: further ones for this transaction, by name.
    func begin(_ mode: TransactionMode, settings: [(name: String, value: String)] = []) throws(PostgresError) {
        let link = try self.openLink(for: "begin")
        guard link.transactionStatus == PQTRANS_IDLE else {
            throw PostgresError(.misuse, "a transaction is open already", context: "begin")
        }
        let local = (self.configuration.usesSessionState ? [] : self.configuration.settings) + settings
        let calls = local.map { "set_config(\(SQLText.literal($0.name)), \(SQLText.literal($0.value)), true)" }
        let select = calls.isEmpty ? "" : "; select " + calls.joined(separator: ", ")
        do {
            _ = try link.script(mode.begin + select, by: Deadline(after: self.configuration.replyTimeout))
        } catch {
            let failure = self.failed(error, "begin", mayHaveCommitted: false)
            self.rollBack()
            throw failure
        }
    }

    func commit() throws(PostgresError) {
        let result = try self.simple("commit", commits: true)
        // COMMIT of a transaction in which something failed is answered by ROLLBACK, and is no error to libpq.
        guard result.commandTag == "COMMIT" else {
            throw PostgresError(.rolledBack, "the transaction had failed and was rolled back", context: "commit")
        }
    }

    /// Ends the transaction, and gives back what outlives one.
    private func discard() {
        guard self.link != nil else { return }
        do {
            _ = try self.simple("rollback; select pg_catalog.pg_advisory_unlock_all()")
        } catch {
            self.close()
        }
    }

    /// Ends the transaction without effect; a connection that can't is closed, which has the same effect.
    func rollBack() {
        guard let link = try? self.openLink(for: "rollback"), link.transactionStatus != PQTRANS_IDLE else { return }
        do {
            _ = try self.simple("rollback")
        } catch {
            self.close()
        }
    }
}
