package import Postgres
import SQLFiles

/// Runs reports, each over one snapshot, read-only, and as the role of the reports, which a team's own can't leave.
package struct ReportRunner: Sendable {
    /// Server settings for each transaction, by name; row-level security reads the app from them.
    package var settings: [String: String]
    /// No more rows than these are fetched; nil fetches all.
    package var rowLimit: Int?
    /// Maximum bytes of values that are fetched for a team's own report.
    package var byteLimit: Int?

    package init(settings: [String: String] = [:], rowLimit: Int? = nil, byteLimit: Int? = nil) {
        self.settings = settings
        self.rowLimit = rowLimit
        self.byteLimit = byteLimit
    }

    /// - Parameter appName: the value of `:'app'`; the connection's role sees no other app in any case.
    /// - Throws: `ReportError` for what the report itself got wrong, `PostgresError` for everything else.
    package func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, appName: String, on connection: Connection
    ) async throws -> ReportResult {
        // A literal, because the message that begins the transaction takes no parameters.
        let question = "select afterpush.as_of(\(SQLText.literal(appName)))"
        return try await connection.snapshot(settings: settings, asking: question) { @Sendable connection, answer in
            let asOf = try Self.asOf(answer, definition)
            var values = parameters.byName
            values[ReportFileCheck.reservedName] = appName
            let allowance = ReportTimeBudget(of: definition, on: connection)
            let prelude = try runPreludes(of: definition, values, allowance, connection)
            let body = try BoundStatement(definition.body, file: definition.name, parameters: values, prelude: prelude)
            let limit = [rowLimit, definition.rowLimit].compactMap(\.self).min().map { max(0, $0) }
            // One more row shows that there are more.
            let fetched = limit.map { $0 < .max ? $0 + 1 : $0 }
            if definition.isBuiltIn {
                let rows = try run(body, fetched, connection)
                return try ReportResult(
                    of: definition, parameters: parameters, asOf: asOf, columns: rows.columns.map(\.name), rows: rows,
                    rowLimit: limit)
            }
            let (columns, rows, hasMore) = try runConfined(body, fetched, allowance, connection)
            return try ReportResult(
                of: definition, parameters: parameters, asOf: asOf, columns: columns, rows: rows, rowLimit: limit,
                hasMore: hasMore)
        }
    }

    private static func asOf(_ answer: Rows, _ definition: ReportDefinition) throws -> String {
        guard let text = answer.first?.text(0), let time = try? ReportColumn.Kind.time.canonical(text) else {
            throw ReportError.result(report: definition.name, detail: "the database states no as_of")
        }
        return time
    }

    /// What the preludes returned, by column; a null is no variable, as in psql.
    private func runPreludes(
        of definition: ReportDefinition, _ parameters: [String: String], _ allowance: ReportTimeBudget,
        _ connection: isolated Connection
    ) throws -> [String: String] {
        var variables: [String: String] = [:]
        for prelude in definition.preludes {
            func failure(_ detail: String) -> ReportError {
                .file(name: definition.name, line: prelude.line, detail: detail)
            }
            let bound = try BoundStatement(prelude, file: definition.name, parameters: parameters, prelude: variables)
            let (columns, rows) = try runPrelude(bound, definition, allowance, connection)
            guard rows.count == 1 else { throw failure("a prelude must return exactly one row") }
            for (column, value) in zip(columns, rows[0]) {
                // What a prelude returns may be spliced, so it must not bear the name of what may not.
                guard parameters[column] == nil else { throw failure("\(column) is already a parameter") }
                variables[column] = value
            }
        }
        return variables
    }

    /// Its first two rows, each value in the server's text.
    private func runPrelude(
        _ statement: BoundStatement, _ definition: ReportDefinition, _ allowance: ReportTimeBudget,
        _ connection: isolated Connection
    ) throws -> (columns: [String], rows: [[String?]]) {
        guard definition.isBuiltIn else {
            let (columns, rows, _) = try runConfined(statement, 2, allowance, connection)
            return (columns, rows.map(Array.init))
        }
        let rows = try run(statement, 2, connection)
        return (rows.columns.map(\.name), rows.map { row in rows.columns.indices.map { row.text($0) } })
    }

    /// A statement of the program's own: what is asked for is in it as constants and can do nothing. Prepared, as who
    /// looks at a report looks at it again: to parse and to plan it takes as long as to run it.
    private func run(
        _ statement: BoundStatement, _ limit: Int?, _ connection: isolated Connection
    ) throws -> Rows {
        let opening = "select * from ("
        do {
            return try connection.query(
                "\(opening)\(statement.sql)\n) as report limit \(limit.map(String.init) ?? "all")",
                format: .text, prepared: true)
        } catch {
            throw statement.fault(error, after: opening.count) ?? error
        }
    }

    /// A statement of a team's own, which might do what it likes.
    ///
    /// - Returns: and whether there are more rows than its values may take bytes.
    private func runConfined(
        _ statement: BoundStatement, _ limit: Int?, _ allowance: ReportTimeBudget, _ connection: isolated Connection
    ) throws -> (columns: [String], rows: ReportRows, hasMore: Bool) {
        do {
            try allowance.enforce(on: connection)
            // Asked for apart: so it is known to be one statement, and what is wrong with it has its line.
            let names = try connection.columns(of: statement.sql)
            let rows = try connection.query(
                SQLFiles.callRunReport.text,
                [
                    .text(statement.sql), .int4(Int32(names.count)), .int8(limit.map(Int64.init)),
                    .int8(byteLimit.map(Int64.init)),
                ],
                prepared: true)
            let kept = rows.prefix { !$0.isNull(0) }
            return (names, try ReportRows(arrays: kept), kept.count < rows.count)
        } catch let error as PostgresError {
            throw statement.fault(error) ?? error
        }
    }
}
