import CLibpq

extension Connection {
    /// Runs one statement and returns the number of rows it affected.
    ///
    /// - Parameter prepared: Whether to prepare the statement on this connection, for statements that run repeatedly.
    @discardableResult
    package func execute(
        _ sql: String, _ parameters: [Parameter] = [], prepared: Bool = false
    ) throws(PostgresError) -> Int {
        let statement = Statement(sql: sql, parameters: parameters, format: .binary, prepared: prepared)
        return try self.run(statement).affected
    }

    /// Runs one statement and returns its rows, all of which are in memory.
    package func query(
        _ sql: String, _ parameters: [Parameter] = [], format: ResultFormat = .binary, prepared: Bool = false
    ) throws(PostgresError) -> Rows {
        Rows(try self.run(Statement(sql: sql, parameters: parameters, format: format, prepared: prepared)))
    }

    /// Runs one statement and calls `body` with each row as it arrives, so that only one of them is in memory.
    ///
    /// If the statement fails, `body` may have been called for some rows.
    ///
    /// - Returns: The columns.
    package func query(
        _ sql: String, _ parameters: [Parameter] = [], format: ResultFormat = .binary, prepared: Bool = false,
        eachRow body: ([Column], Row) -> Void
    ) throws(PostgresError) -> [Column] {
        var columns: [Column]?
        let statement = Statement(
            sql: sql, parameters: parameters, format: format, prepared: prepared, isReadByRow: true)
        let end = try self.run(statement) { row in
            let known = columns ?? Rows(row).columns
            columns = known
            body(known, Row(result: row, index: 0, columns: known))
        }
        return columns ?? Rows(end).columns
    }

    /// Returns the names of a statement's result columns without running it; it must not have parameters.
    package func columns(of sql: String) throws(PostgresError) -> [String] {
        let label = SQLText.label(sql)
        let link = try self.openLink(for: label)
        if self.isPooled, link.transactionStatus == PQTRANS_IDLE {
            return try self.runAlone { () throws(PostgresError) in try self.columns(of: sql) }
        }
        do {
            let deadline = Deadline(after: self.configuration.replyTimeout)
            return Rows(try link.describe(sql, by: deadline)).columns.map(\.name)
        } catch {
            throw self.failed(error, label, mayHaveCommitted: false)
        }
    }

    /// Removes all prepared statements, whose text other statements of the session can read in the catalogue.
    package func deallocateStatements() throws(PostgresError) {
        // Nothing was prepared.
        guard !self.isPooled else { return }
        self.statements.forgetAll()
        try self.execute("deallocate all")
    }

    /// Runs several statements, in one implicit transaction unless they contain transaction commands.
    ///
    /// - Parameter replyTimeout: The time limit for a reply, or `nil` for the configured one. The script itself can
    ///   set `statement_timeout`.
    package func script(_ sql: String, replyTimeout: Duration? = nil) throws(PostgresError) {
        _ = try self.simple(sql, replyTimeout: replyTimeout)
    }

    /// Runs a script and returns its last result.
    ///
    /// - Parameter commits: Whether the script ends a transaction, so that its outcome is unknown if the reply is lost.
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

    private func run(
        _ statement: Statement, eachRow body: (ResultHandle) -> Void = { _ in }
    ) throws(PostgresError) -> ResultHandle {
        let link = try self.openLink(for: statement.label)
        let isAutocommit = link.transactionStatus == PQTRANS_IDLE
        if isAutocommit, self.isPooled {
            return try self.runAlone { () throws(PostgresError) in try self.run(statement, eachRow: body) }
        }
        do {
            return try self.attempt(statement, on: link, eachRow: body)
        } catch {
            throw self.failed(error, statement.label, mayHaveCommitted: isAutocommit)
        }
    }

    /// Runs a statement in its own transaction, which applies the settings.
    private func runAlone<Result>(
        _ body: () throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        try self.begin(.readWrite)
        let result: Result
        do {
            result = try body()
        } catch {
            self.rollBack()
            throw error
        }
        try self.commit()
        return result
    }

    private func attempt(
        _ statement: Statement, on link: Link, eachRow body: (ResultHandle) -> Void
    ) throws(PostgresError) -> ResultHandle {
        let deadline = Deadline(after: self.configuration.replyTimeout)
        guard let name = try self.preparedName(statement, on: link, by: deadline) else {
            return try link.run(statement, name: nil, by: deadline, eachRow: body)
        }
        var hasRows = false
        do {
            return try link.run(statement, name: name, by: deadline) { row in
                hasRows = true
                body(row)
            }
        } catch {
            // The schema changed or the statement was deallocated. The server detects both before it runs anything.
            guard ["0A000", "26000"].contains(error.sqlState), !hasRows else { throw error }
            self.statements.forgetAll()
            guard link.transactionStatus == PQTRANS_IDLE else { throw error }
            return try link.run(statement, name: nil, by: deadline, eachRow: body)
        }
    }

    /// Prepares the statement unless it is prepared already, and returns its name; `nil` if it is sent as text.
    private func preparedName(
        _ statement: Statement, on link: Link, by deadline: Deadline
    ) throws(PostgresError) -> String? {
        guard statement.prepared, !self.isPooled else { return nil }
        let key = statement.key
        if let name = self.statements.name(key) { return name }
        if let oldest = self.statements.makeRoom() { _ = try link.script("deallocate \(oldest)", by: deadline) }
        let name = self.statements.newName()
        try link.prepare(statement, name: name, by: deadline)
        self.statements.add(key, name: name)
        return name
    }
}
