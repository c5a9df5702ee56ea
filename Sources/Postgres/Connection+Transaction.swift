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
    /// - Parameters:
    ///   - settings: by name, for as long as it lasts.
    ///   - question: a statement that `body` gets the rows of, in text; asked in the message that begins.
    package func snapshot<T: Sendable>(
        settings: [String: String] = [:], asking question: String,
        _ body: @Sendable (isolated Connection, Rows) throws -> T
    ) throws -> T {
        let sorted = settings.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
        let answer = try self.begin(.readOnlyRepeatable, settings: sorted, then: question)
        defer { self.discard() }
        return try body(self, Rows(answer))
    }

    /// What a statement may take, unless `limitStatements` says otherwise; zero is no limit.
    package var statementTimeout: Duration { self.configuration.statementTimeout }

    /// From now on statements of this transaction may take so long, whatever it has set itself.
    package func limitStatements(to duration: Duration) throws(PostgresError) {
        try self.execute("set local statement_timeout = \(max(1, duration.milliseconds))")
    }

    /// - Parameters:
    ///   - settings: further ones for this transaction, by name.
    ///   - question: a statement to run first.
    /// - Returns: what the last of these statements returned.
    @discardableResult
    func begin(
        _ mode: TransactionMode, settings: [(name: String, value: String)] = [], then question: String = ""
    ) throws(PostgresError) -> ResultHandle {
        let link = try self.openLink(for: "begin")
        guard link.transactionStatus == PQTRANS_IDLE else {
            throw PostgresError(.misuse, "a transaction is open already", context: "begin")
        }
        let local = (self.configuration.usesSessionState ? [] : self.configuration.settings) + settings
        let calls = local.map { "set_config(\(SQLText.literal($0.name)), \(SQLText.literal($0.value)), true)" }
        let select = calls.isEmpty ? "" : "select " + calls.joined(separator: ", ")
        let statements = [mode.begin, select, question].filter { !$0.isEmpty }
        do {
            let script = statements.joined(separator: "; ")
            return try link.script(script, by: Deadline(after: self.configuration.replyTimeout))
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
