package import Postgres

/// Runs reports, each in one read-only transaction with one snapshot.
package struct ReportRunner: Sendable {
    /// Run first in each transaction, in order.
    package var sessionStatements: [SessionStatement]
    /// No more rows than these are fetched; nil fetches all.
    package var rowLimit: Int?

    package init(sessionStatements: [SessionStatement] = [], rowLimit: Int? = nil) {
        self.sessionStatements = sessionStatements
        self.rowLimit = rowLimit
    }

    /// - Parameter appName: bound to `:'app'`; the connection's role sees no other app in any case.
    /// - Throws: `PostgresError` from the server, `ReportError` for what the report itself got wrong.
    package func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, appName: String, on connection: Connection
    ) async throws -> ReportResult {
        try await connection.transaction(.readOnlyRepeatable) { @Sendable connection in
            for statement in sessionStatements {
                _ = try connection.query(statement.sql, statement.values.map { .unknown($0) }, format: .text)
            }
            let asOf = try Self.asOf(appName, definition, connection)
            var values = parameters.byName
            values[ReportFileCheck.reservedName] = appName
            let prelude = try Self.runPreludes(of: definition, values, connection)
            let body = try BoundStatement(definition.body, file: definition.name, parameters: values, prelude: prelude)
            let (rows, isTruncated) = try fetch(body, connection)
            let columns = rows.columns.map(\.name)
            let count = isTruncated ? rows.count - 1 : rows.count
            let texts = rows.prefix(count).map { row in columns.indices.map { row.text($0) } }
            return try ReportResult(
                of: definition, parameters: parameters, asOf: asOf, columns: columns, rows: texts,
                isTruncated: isTruncated)
        }
    }

    private static func asOf(
        _ appName: String, _ definition: ReportDefinition, _ connection: isolated Connection
    ) throws -> String {
        let rows = try connection.query("select afterpush.as_of($1)", [.unknown(appName)], format: .text)
        let column = ReportColumn(name: "as_of", kind: .time)
        guard let text = rows.first?.text(0), let time = try? column.canonical(text) else {
            throw ReportError.result(report: definition.name, detail: "the database states no as_of")
        }
        return time
    }

    /// What the preludes returned, by column; a null is no variable, as in psql.
    private static func runPreludes(
        of definition: ReportDefinition, _ parameters: [String: String], _ connection: isolated Connection
    ) throws -> [String: String] {
        var variables: [String: String] = [:]
        for prelude in definition.preludes {
            func failure(_ detail: String) -> ReportError {
                .file(name: definition.name, line: prelude.line, detail: detail)
            }
            let bound = try BoundStatement(prelude, file: definition.name, parameters: parameters, prelude: variables)
            let rows = try connection.query(bound.sql, bound.values.map { .unknown($0) }, format: .text)
            guard rows.count == 1, let row = rows.first else { throw failure("a prelude returns exactly one row") }
            for (index, column) in rows.columns.enumerated() {
                // What a prelude returns may be spliced, so it must not bear the name of what may not.
                guard parameters[column.name] == nil else { throw failure("\(column.name) is a parameter already") }
                variables[column.name] = row.text(index)
            }
        }
        return variables
    }

    /// With a limit a cursor keeps the rest on the server; without one the planner is left to expect all rows.
    private func fetch(_ body: BoundStatement, _ connection: isolated Connection) throws -> (Rows, isTruncated: Bool) {
        let values: [Parameter] = body.values.map { .unknown($0) }
        guard let rowLimit else { return (try connection.query(body.sql, values, format: .text), false) }
        // FETCH counts in 32 bits.
        let limit = min(max(0, rowLimit), Int(Int32.max) - 1)
        try connection.execute("declare report no scroll cursor for \(body.sql)", values)
        let rows = try connection.query("fetch forward \(limit + 1) from report", format: .text)
        return (rows, rows.count > limit)
    }
}
