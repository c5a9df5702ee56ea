import CLibpq

extension Connection {
    /// Runs `body` between BEGIN and COMMIT; if it throws, rolls back and rethrows the error.
    ///
    /// The body is synchronous, so no other call can run in between. Nothing is retried. If the reply to COMMIT is
    /// lost, the error's `isUnknownOutcome` is true; any other error means that nothing has changed.
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

    /// Runs `body` in a read-only transaction with one snapshot, and releases its settings and locks afterwards.
    ///
    /// - Parameter question: One or more statements, sent together with BEGIN. The rows of the last one are passed to
    ///   `body`, in text format.
    package func snapshot<T: Sendable>(
        asking question: String, _ body: @Sendable (isolated Connection, Rows) throws -> T
    ) throws -> T {
        let answer = try self.begin(.readOnlyRepeatable, then: question)
        defer { self.discard() }
        return try body(self, Rows(answer))
    }

    /// Begins a read-only transaction, and returns the name of its snapshot, in which other connections can read until
    /// `endSnapshot`.
    ///
    /// The transaction reads nothing, so it holds no locks of tables.
    package func beginSnapshot() throws -> String {
        let answer = try self.begin(
            .readOnlyRepeatable, settings: [(name: "idle_in_transaction_session_timeout", value: "0")],
            then: "select pg_catalog.pg_export_snapshot()")
        guard let name = Rows(answer).first?.text(0) else {
            self.rollBack()
            throw PostgresError(.misuse, "a snapshot has no name", context: "begin")
        }
        return name
    }

    /// Ends the transaction that `beginSnapshot` began.
    package func endSnapshot() {
        self.rollBack()
    }

    /// The configured time limit of a statement, which `limitStatements` can replace; zero means no limit.
    package var statementTimeout: Duration { self.configuration.statementTimeout }

    /// Sets the time limit for the following statements of this transaction.
    package func limitStatements(to duration: Duration) throws(PostgresError) {
        try self.execute("set local statement_timeout = \(max(1, duration.milliseconds))")
    }

    /// Begins a transaction and applies its settings.
    ///
    /// - Parameters:
    ///   - settings: Additional settings of this transaction, by name.
    ///   - question: Statements to run right after BEGIN and the settings.
    /// - Returns: The result of the last of these statements.
    @discardableResult
    func begin(
        _ mode: TransactionMode, settings: [(name: String, value: String)] = [], then question: String = ""
    ) throws(PostgresError) -> ResultHandle {
        let link = try self.openLink(for: "begin")
        guard link.transactionStatus == PQTRANS_IDLE else {
            throw PostgresError(.misuse, "a transaction is open already", context: "begin")
        }
        let calls =
            (self.isPooled ? self.configuration.assignments(isLocal: "true") : [])
            + settings.map { PostgresConfiguration.assignment($0.name, SQLText.literal($0.value), "true") }
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
        // The server replies ROLLBACK to the COMMIT of a failed transaction, which libpq doesn't treat as an error.
        guard result.commandTag == "COMMIT" else {
            throw PostgresError(.rolledBack, "the transaction had failed and was rolled back", context: "commit")
        }
    }

    /// Rolls the transaction back and releases advisory locks, which outlive a transaction.
    private func discard() {
        guard self.link != nil else { return }
        do {
            _ = try self.simple("rollback; select pg_catalog.pg_advisory_unlock_all()")
        } catch {
            self.close()
        }
    }

    /// Rolls the transaction back; if that fails, closes the connection, which has the same effect.
    func rollBack() {
        guard let link = try? self.openLink(for: "rollback"), link.transactionStatus != PQTRANS_IDLE else { return }
        do {
            _ = try self.simple("rollback")
        } catch {
            self.close()
        }
    }
}

/// The isolation level and access mode of a transaction.
package enum TransactionMode: Sendable {
    /// A transaction with the server's defaults: read committed, with writes.
    case readWrite
    /// A transaction with one snapshot for all statements, in which the server refuses writes.
    case readOnlyRepeatable
    /// The same, with the snapshot of another connection's transaction (`beginSnapshot`).
    case snapshot(String)

    var begin: String {
        switch self {
        case .readWrite: "begin"
        case .readOnlyRepeatable: "begin isolation level repeatable read read only"
        case .snapshot(let name):
            "\(Self.readOnlyRepeatable.begin); set transaction snapshot \(SQLText.literal(name))"
        }
    }
}
