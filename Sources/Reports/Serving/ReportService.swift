package import Postgres
import SQLFiles

/// Runs reports for an app, as the role that sees that app's rows alone.
package struct ReportService: Sendable {
    package let catalogue: ReportCatalogue
    private let pool: ConnectionPool
    private let rowLimit: Int
    private let byteLimit: Int
    private let memory = MetricDefinitionCache()
    private let token: @Sendable (_ appID: Int32) async throws -> String

    /// The reports that come with the program, and a team's own; or `only` one of them.
    package static func catalogue(directory: String? = nil, only: String? = nil) -> ReportCatalogue {
        ReportCatalogue(
            builtIn: Dictionary(uniqueKeysWithValues: SQLFiles.reports.map { ($0.name, $0.text) }),
            directory: directory, only: only)
    }

    /// - Parameters:
    ///   - pool: of the role that reads.
    ///   - rowLimit: rows that a report returns at most; what it leaves out is said.
    ///   - byteLimit: bytes of values that a team's own report returns at most; the same.
    ///   - token: shows that role an app's rows.
    package init(
        catalogue: ReportCatalogue = catalogue(), pool: ConnectionPool, rowLimit: Int = 100_000,
        byteLimit: Int = 64 << 20, token: @escaping @Sendable (_ appID: Int32) async throws -> String
    ) {
        self.catalogue = catalogue
        self.pool = pool
        self.rowLimit = rowLimit
        self.byteLimit = byteLimit
        self.token = token
    }

    package func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, app: Int32, name: String
    ) async throws -> ReportResult {
        let runner = ReportRunner(
            settings: ["afterpush.report_token": try await token(app)], rowLimit: rowLimit, byteLimit: byteLimit)
        return try await pool.withConnection { connection in
            try await runner.run(definition, parameters, appName: name, on: connection)
        }
    }

    /// All definitions, as JSON objects.
    package func definitions() async throws -> [String] {
        try await pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.listDefinitions.text)
            return try rows.map { try $0.decode(String.self, column: 0) }
        }
    }

    /// The definitions that hold of a column, by its name or as `REPORT.COLUMN`; none if there is no such column.
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
        let columns = result.columns.map(\.name)
        return try await memory.definitions(of: result.report, columns) {
            try await pool.withConnection { connection in
                let rows = try await connection.query(
                    SQLFiles.callReportDefinitions.text, [.text(result.report), .textArray(columns)])
                return try rows.map { try $0.decode(String.self, column: 0) }
            }
        }
    }

    /// What writes a result in a format; JSON carries the definitions of its columns.
    package func format(_ output: ReportOutput, of result: ReportResult) async throws -> any ReportFormat {
        switch output {
        case .json: JSONFormat(definitions: try await definitions(of: result))
        case .ndjson: NDJSONFormat()
        case .csv(let raw): CSVFormat(raw: raw)
        case .table: TableFormat()
        }
    }
}
