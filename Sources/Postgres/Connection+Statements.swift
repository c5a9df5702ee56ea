import CLibpq

extension Connection {
    /// Runs one statement and returns the number of rows it affected.
    ///
    /// - Parameter prepared: parse it once for this connection; for statements that come again.
    @discardableResult
    package func execute(
        _ sql: String, _ parameters: [Parameter] = [], prepared: Bool = false
    ) throws(PostgresError) -> Int {
        let statement = Statement(sql: sql, parameters: parameters, format: .binary, prepared: prepared)
        return try self.run(statement).affected
    }

    /// Runs one statement and returns its rows, all of them in memory.
    package func query(
        _ sql: String, _ parameters: [Parameter] = [], format: ResultFormat = .binary, prepared: Bool = false
    ) throws(PostgresError) -> Rows {
        Rows(try self.run(Statement(sql: sql, parameters: parameters, format: format, prepared: prepared)))
    }

    /// The names of the columns that a statement without parameters returns, found out without running it.
    package func columns(of sql: String) throws(PostgresError) -> [String] {
        let label = SQLText.label(sql)
        let link = try self.openLink(for: label)
        do {
            let deadline = Deadline(after: self.configuration.replyTimeout)
            return Rows(try link.describe(sql, by: deadline)).columns.map(\.name)
        } catch {
            throw self.failed(error, label, mayHaveCommitted: false)
        }
    }

    /// Runs many statements, in one implicit transaction unless they say otherwise.
    ///
    /// - Parameter replyTimeout: instead of the configuration's; `statement_timeout` is for the script itself to set.
    package func script(_ sql: String, replyTimeout: Duration? = nil) throws(PostgresError) {
        _ = try self.simple(sql, replyTimeout: replyTimeout)
    }

    /// Runs a script and returns its last result.
    ///
    /// - Parameter commits: it ends a transaction, so that its outcome is unknown if the answer gets lost.
    func simple(
        _ sql: String, replyTimeout: Duration? = nil, commits: Bool = false
    ) throws(PostgresError) -> ResultHandle {
        let label = SQLText.label(sql)
        let link = try self.openLink(for: label)
        let mayCommit = commits || link.transactionStatus == PQTRANS_IDLE
        do {
            return try link.script(sql, by: Deadline(after: replyTimeout ?? self.configuration.replyTimeout))
        } catch {
            throw self.failed(error, label, mayHaveCommitted: mayCommit)
        }
    }

    private func run(_ statement: Statement) throws(PostgresError) -> ResultHandle {
        let link = try self.openLink(for: statement.label)
        let isAutocommit = link.transactionStatus == PQTRANS_IDLE
        if isAutocommit, !self.configuration.usesSessionState {
            return try self.runAlone(statement)
        }
        do {
            return try self.attempt(statement, on: link)
        } catch {
            throw self.failed(error, statement.label, mayHaveCommitted: isAutocommit)
        }
    }

    /// Runs a statement in a transaction of its own, for the settings that come with one.
    private func runAlone(_ statement: Statement) throws(PostgresError) -> ResultHandle {
        try self.begin(.readWrite)
        let result: ResultHandle
        do {
            result = try self.run(statement)
        } catch {
            self.rollBack()
            throw error
        }
        try self.commit()
        return result
    }

    private func attempt(_ statement: Statement, on link: Link) throws(PostgresError) -> ResultHandle {
        let deadline = Deadline(after: self.configuration.replyTimeout)
        guard let name = try self.preparedName(statement, on: link, by: deadline) else {
            return try link.run(statement, name: nil, by: deadline)
        }
        do {
            return try link.run(statement, name: name, by: deadline)
        } catch {
            // The schema has changed, or someone deallocated: both are found before anything runs.
            guard ["0A000", "26000"].contains(error.sqlState) else { throw error }
            self.statements.forgetAll()
            guard link.transactionStatus == PQTRANS_IDLE else { throw error }
            return try link.run(statement, name: nil, by: deadline)
        }
    }

    /// The name under which the statement is prepared by now, or nil if it isn't to be.
    private func preparedName(
        _ statement: Statement, on link: Link, by deadline: Deadline
    ) throws(PostgresError) -> String? {
        guard statement.prepared, self.configuration.usesSessionState else { return nil }
        let key = statement.key
        if let name = self.statements.name(key) { return name }
        if let oldest = self.statements.makeRoom() { _ = try link.script("deallocate \(oldest)", by: deadline) }
        let name = self.statements.newName()
        try link.prepare(statement, name: name, by: deadline)
        self.statements.add(key, name: name)
        return name
    }
}
