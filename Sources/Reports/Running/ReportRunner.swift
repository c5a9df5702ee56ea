package import Postgres
import SQLFiles

/// Runs reports, each read-only, in one snapshot and as the reports' role, which a team's own report can't change.
package struct ReportRunner: Sendable {
    /// The app whose rows the reports can read, or `nil` if the connection's login can read only one.
    package var app: Int32?
    /// The maximum number of rows to fetch, or `nil` for no limit.
    package var rowLimit: Int?
    /// Values of columns; rows with other values may be missing. PostgreSQL then computes less. Only columns of text in
    /// built-in reports count.
    package var wanted: [String: String]
    /// The maximum size of a result in memory, in bytes, or `nil` for one that no report reaches.
    package var byteLimit: Int?

    package init(
        app: Int32? = nil, rowLimit: Int? = nil, wanted: [String: String] = [:], byteLimit: Int? = nil
    ) {
        self.app = app
        self.rowLimit = rowLimit
        self.wanted = wanted
        self.byteLimit = byteLimit
    }

    /// Runs a report and returns its result.
    ///
    /// - Parameter appName: The value of `:'app'`; the connection's role sees no other app in any case.
    /// - Throws: `ReportError` for an error in the report itself, `PostgresError` for everything else.
    package func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, appName: String, on connection: Connection
    ) async throws -> ReportResult {
        // Before the snapshot: a standby goes on replaying, and the time must not be later than what the snapshot has.
        let replayed = try await Self.replayedUntil(connection)
        // Literals, because the message that begins the transaction takes no parameters.
        let bound = replayed.map { ", \(SQLText.literal($0))::timestamptz" } ?? ""
        // PostgreSQL may know fewer time zones than Foundation.
        let zone = parameters.entries.first { $0.parameter.kind == .zone && !$0.value.isEmpty }
        let check = zone.map { ", now() at time zone \(SQLText.literal($0.value))" } ?? ""
        let question = "select least(afterpush.as_of(\(SQLText.literal(appName)))\(bound))\(check)"
        let opening = app.map { ReportAccess.opening(app: $0) } ?? ""
        do {
            return try await connection.snapshot(asking: opening + question) { @Sendable connection, answer in
                try run(definition, parameters, appName: appName, answer, connection)
            }
        } catch let error as PostgresError where error.sqlState == "22023" {
            guard let zone else { throw error }
            throw ReportError.parameter(
                name: zone.parameter.name, detail: "is a time zone that PostgreSQL does not know")
        }
    }

    /// Runs a report in its transaction.
    private func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, appName: String, _ answer: Rows,
        _ connection: isolated Connection
    ) throws -> ReportResult {
        let asOf = try Self.asOf(answer, definition)
        // A team's own report could read them, and they contain the values of other apps' requests.
        if !definition.isBuiltIn {
            try connection.deallocateStatements()
            try connection.execute(SQLFiles.searchPublic.text)
        }
        var values = parameters.byName
        values[ReportFileCheck.reservedName] = appName
        let budget = ReportTimeBudget(of: definition, on: connection)
        let prelude = try runPreludes(of: definition, values, budget, connection)
        let body = try BoundStatement(definition.body, file: definition.name, parameters: values, prelude: prelude)
        let limit = [rowLimit, definition.rowLimit].compactMap(\.self).min().map { max(0, $0) }
        // One more row shows that there are more.
        let fetched = limit.map { $0 < .max ? $0 + 1 : $0 }
        var kept: CheckedRows?
        var failure: ReportError?
        func keep(_ columns: @autoclosure () -> [String], _ row: (some ValueRow)?) {
            if failure != nil { return }
            do throws(ReportError) {
                if kept == nil {
                    kept = try CheckedRows(columns: columns(), of: definition, rowLimit: limit, byteLimit: byteLimit)
                }
                if let row { try kept?.add(row) } else { kept?.markTruncated() }
            } catch {
                failure = error
            }
        }
        let columns: [String]
        if definition.isBuiltIn {
            let condition = try condition(of: definition, body, connection)
            columns = try run(body, where: condition, fetched, connection) { keep($0.map(\.name), $1) }
        } else {
            columns = try runConfined(body, fetched, budget, connection) { keep($0, $1) }
        }
        if let failure { throw failure }
        let rows = try kept ?? CheckedRows(columns: columns, of: definition)
        return ReportResult(of: definition, parameters: parameters, asOf: asOf, rows: rows)
    }

    private static func replayedUntil(_ connection: Connection) async throws -> String? {
        guard await connection.isStandby else { return nil }
        return try await connection.query(SQLFiles.readReplayedUntil.text, format: .text).first?.text(0)
    }

    private static func asOf(_ answer: Rows, _ definition: ReportDefinition) throws -> String {
        guard let text = answer.first?.text(0), let time = try? ReportColumn.Kind.time.canonical(text) else {
            throw ReportError.result(report: definition.name, detail: "the database returned no as_of")
        }
        return time
    }

    /// Runs the preludes and returns their values by column; as in psql, a null sets no variable.
    private func runPreludes(
        of definition: ReportDefinition, _ parameters: [String: String], _ budget: ReportTimeBudget,
        _ connection: isolated Connection
    ) throws -> [String: String] {
        var variables: [String: String] = [:]
        for prelude in definition.preludes {
            func failure(_ detail: String) -> ReportError {
                .file(name: definition.name, line: prelude.line, detail: detail)
            }
            let bound = try BoundStatement(prelude, file: definition.name, parameters: parameters, prelude: variables)
            let (columns, rows) = try runPrelude(bound, definition, budget, connection)
            guard rows.count == 1 else { throw failure("a prelude must return exactly one row") }
            for (column, value) in zip(columns, rows[0]) {
                // The values of a prelude can be inserted unquoted, so they must not have the name of a parameter.
                guard parameters[column] == nil else { throw failure("\(column) is already a parameter") }
                variables[column] = value
            }
        }
        return variables
    }

    /// Returns the first two rows of a prelude, in the server's text format.
    private func runPrelude(
        _ statement: BoundStatement, _ definition: ReportDefinition, _ budget: ReportTimeBudget,
        _ connection: isolated Connection
    ) throws -> (columns: [String], rows: [[String?]]) {
        guard definition.isBuiltIn else {
            var rows: [[String?]] = []
            let columns = try runConfined(statement, 2, budget, connection) { _, row in
                if let row { rows.append(Self.texts(row)) }
            }
            return (columns, rows)
        }
        var rows: [[String?]] = []
        let columns = try run(statement, where: "", 2, connection) { rows.append(Self.texts($1)) }
        return (columns, rows)
    }

    private static func texts(_ row: some ValueRow) -> [String?] {
        var texts: [String?] = []
        row.forEachValue { _, value in texts.append(value.map { String(decoding: $0, as: UTF8.self) }) }
        return texts
    }

    /// Returns the condition of the wanted rows, which begins with a blank unless it is empty.
    private func condition(
        of definition: ReportDefinition, _ statement: BoundStatement, _ connection: isolated Connection
    ) throws -> String {
        if wanted.isEmpty { return "" }
        // With some parameters, a report lacks columns that it declares.
        let columns = try connection.columns(of: statement.sql)
        let texts = definition.columns.filter { $0.kind == .text && columns.contains($0.name) }.map(\.name)
        let conditions = wanted.sorted { $0.key < $1.key }.filter { texts.contains($0.key) }.map {
            "report.\(SQLText.identifier($0.key)) = \(SQLText.literal($0.value))"
        }
        return conditions.isEmpty ? "" : " where " + conditions.joined(separator: " and ")
    }

    /// Runs a statement of a built-in report, in which the values of the request are only constants, and calls `body`
    /// with each row as it arrives.
    ///
    /// The statement is prepared because reports are repeated, and parsing and planning take as long as running one.
    ///
    /// - Returns: The names of the columns.
    private func run(
        _ statement: BoundStatement, where condition: String, _ limit: Int?, _ connection: isolated Connection,
        eachRow body: ([Column], Row) -> Void
    ) throws -> [String] {
        let opening = "select * from ("
        do {
            return try connection.query(
                "\(opening)\(statement.sql)\n) as report\(condition) limit \(limit.map(String.init) ?? "all")",
                format: .text, prepared: true, eachRow: body
            ).map(\.name)
        } catch {
            throw statement.fault(error, after: opening.count) ?? error
        }
    }

    /// Runs a statement of a team's own report, which can't be trusted, and calls `body` with each row as it arrives;
    /// with `nil` for rows that the server leaves out because of the limit on bytes.
    ///
    /// - Returns: The names of the columns.
    private func runConfined(
        _ statement: BoundStatement, _ limit: Int?, _ budget: ReportTimeBudget, _ connection: isolated Connection,
        eachRow body: ([String], ArrayRow?) -> Void
    ) throws -> [String] {
        do {
            try budget.enforce(on: connection)
            // A separate request ensures that it is one statement, and gives errors their line.
            let names = try connection.columns(of: statement.sql)
            var failure: PostgresError?
            _ = try connection.query(
                SQLFiles.callRunReport.text,
                [
                    .text(statement.sql), .int4(Int32(names.count)), .int8(limit.map(Int64.init)),
                    .int8(byteLimit.map(Int64.init)),
                ],
                prepared: true
            ) { _, row in
                do throws(PostgresError) {
                    body(names, row.isNull(0) ? nil : try ArrayRow(row))
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
            return names
        } catch let error as PostgresError {
            throw statement.fault(error) ?? error
        }
    }
}

/// The values of a row that the server sent as an array of texts.
private struct ArrayRow: ValueRow {
    private let values: ReportRows

    init(_ row: Row) throws(PostgresError) {
        var values = ReportRows()
        try row.forEachElement(0) { values.append($0) }
        values.endRow()
        self.values = values
    }

    func forEachValue<Failure>(
        _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try values.forEachValue(ofRow: 0, body)
    }
}

/// The time limit for all statements of a team's own report together.
struct ReportTimeBudget {
    private let report: String
    /// The end of the time, or `nil` for no limit.
    private let end: ContinuousClock.Instant?

    /// Starts now and lasts as long as the connection's time limit for one statement.
    init(of definition: ReportDefinition, on connection: isolated Connection) {
        let timeout = connection.statementTimeout
        report = definition.name
        end = timeout > .zero ? .now + timeout : nil
    }

    /// Sets the server's time limit for the next statement to the remaining time.
    ///
    /// The previous statement could have raised the limit.
    func enforce(on connection: isolated Connection) throws {
        guard let end else { return }
        let left = end - .now
        guard left > .zero else { throw ReportError.tooSlow(report: report) }
        try connection.limitStatements(to: left)
    }
}
