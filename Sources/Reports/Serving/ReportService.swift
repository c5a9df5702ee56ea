package import Postgres
import SQLFiles

/// Runs reports for an app, as a role that sees only the rows of that app.
package struct ReportService: Sendable {
    package let catalogue: ReportCatalogue
    private let pool: ReadPool
    private let rowLimit: Int
    private let byteLimit: Int
    private let cancelsStatements: Bool
    private let memory = MetricDefinitionCache()

    /// The names of the built-in reports. Unlike `catalogue`, it reads none of them, which takes time at each command.
    package static var builtInNames: [String] { SQLFiles.reports.map(\.name).sorted() }

    /// Returns the built-in reports and a team's own, or `only` one of them.
    package static func catalogue(directory: String? = nil, only: String? = nil) -> ReportCatalogue {
        ReportCatalogue(
            builtIn: Dictionary(uniqueKeysWithValues: SQLFiles.reports.map { ($0.name, $0.text) }),
            directory: directory, only: only)
    }

    /// Creates a service that uses a pool's connections.
    ///
    /// - Parameters:
    ///   - pool: The connections of the reading role.
    ///   - rowLimit: The maximum number of rows of a report; a truncated result is marked.
    ///   - byteLimit: The maximum size of a result in memory, in bytes; a truncated result is marked.
    ///   - cancelsStatements: Whether the server ends a report when its task is cancelled.
    package init(
        catalogue: ReportCatalogue = catalogue(), pool: ReadPool, rowLimit: Int = 100_000,
        byteLimit: Int = 64 << 20, cancelsStatements: Bool = false
    ) {
        self.catalogue = catalogue
        self.pool = pool
        self.rowLimit = rowLimit
        self.byteLimit = byteLimit
        self.cancelsStatements = cancelsStatements
    }

    /// Runs a report and returns its result.
    ///
    /// - Parameters:
    ///   - app: The app whose rows the report reads.
    ///   - name: The app's name.
    ///   - wanted: Values of columns. Rows with other values may be missing, which spares computing them.
    package func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, app: Int32, name: String,
        wanted: [String: String] = [:]
    ) async throws -> ReportResult {
        let runner = ReportRunner(app: app, rowLimit: rowLimit, wanted: wanted, byteLimit: byteLimit)
        return try await pool.withConnection(of: app) { connection in
            guard cancelsStatements else {
                return try await runner.run(definition, parameters, appName: name, on: connection)
            }
            do {
                let result = try await withTaskCancellationHandler {
                    try await runner.run(definition, parameters, appName: name, on: connection)
                } onCancel: {
                    connection.cancel()
                }
                try Task.checkCancellation()
                return result
            } catch {
                // The request to cancel may still be on its way, and must not meet the next borrower's statement.
                if Task.isCancelled { await connection.close() }
                throw error
            }
        }
    }

    /// Returns all definitions as JSON objects, which can be a minute old.
    package func definitions() async throws -> [String] {
        // The connection counts for no app, because requests of all apps wait for the same reading.
        try await memory.all {
            try await pool.withConnection { connection in
                let rows = try await connection.query(SQLFiles.listDefinitions.text)
                return try rows.map { try $0.decode(String.self, column: 0) }
            }
        }
    }

    /// Returns the definitions of a column, named alone or as `REPORT.COLUMN`; empty if there is no such column.
    package func definitions(named name: String) async throws -> [MetricDefinition] {
        try await pool.withConnection { connection in
            try await connection.query(SQLFiles.findDefinitions.text, [.text(name)]).map { row in
                MetricDefinition(
                    name: try row.decode(String.self, column: 0), unit: try row.decode(String.self, column: 1),
                    text: try row.decode(String.self, column: 2), numerator: try row.decode(String?.self, column: 3),
                    denominator: try row.decode(String?.self, column: 4),
                    window: try row.decode(String?.self, column: 5))
            }
        }
    }

    private func definitions(of result: ReportResult) async throws -> [String] {
        // The result may have only some of them, in any order.
        let declared = try catalogue.report(named: result.report).columns.map(\.name)
        return try await memory.definitions(of: result.report, columns: result.columns.map(\.name)) {
            try await pool.withConnection { connection in
                let rows = try await connection.query(
                    SQLFiles.callReportDefinitions.text, [.text(result.report), .textArray(declared)])
                let definitions = try rows.map {
                    (try $0.decode(String.self, column: 0), try $0.decode(String.self, column: 1))
                }
                return Dictionary(uniqueKeysWithValues: definitions)
            }
        }
    }

    /// Returns the writer of an output format; JSON includes the definitions of the result's columns.
    package func format(_ output: ReportOutput, of result: ReportResult) async throws -> any ReportFormat {
        switch output {
        case .json: JSONFormat(definitions: try await definitions(of: result))
        case .ndjson: NDJSONFormat()
        case .csv(let dialect): CSVFormat(dialect)
        case .table: TableFormat()
        case .markdown: MarkdownFormat()
        case .html: HTMLFormat()
        case .xlsx: WorkbookFormat()
        }
    }
}

/// The definition of a column of a report.
package struct MetricDefinition: Sendable, Equatable {
    /// The column's name, or `REPORT.COLUMN` if it has another meaning in that report.
    package let name: String
    /// The unit, such as `deliveries`, `events`, `ratio` or `seconds`.
    package let unit: String
    package let text: String
    /// The numerator of a rate; `denominator` has its denominator.
    package let numerator: String?
    package let denominator: String?
    /// The deliveries or events that are counted.
    package let window: String?
}
