package import Postgres
import SQLFiles

/// Runs reports for an app, as the role that sees that app's rows alone.
package struct ReportDesk: Sendable {
    package let catalogue: ReportCatalogue
    private let pool: ConnectionPool
    private let token: @Sendable (_ appID: Int32) async throws -> String

    /// The reports that come with the program, and a team's own.
    package static func catalogue(directory: String? = nil) -> ReportCatalogue {
        ReportCatalogue(
            builtIn: Dictionary(uniqueKeysWithValues: SQLFiles.reports.map { ($0.name, $0.text) }),
            directory: directory)
    }

    /// - Parameters:
    ///   - pool: of the role that reads.
    ///   - token: shows that role an app's rows.
    package init(
        catalogue: ReportCatalogue = catalogue(), pool: ConnectionPool,
        token: @escaping @Sendable (_ appID: Int32) async throws -> String
    ) {
        self.catalogue = catalogue
        self.pool = pool
        self.token = token
    }

    package func run(
        _ definition: ReportDefinition, _ parameters: ReportParameters, app: Int32, name: String
    ) async throws -> ReportResult {
        let runner = ReportRunner(sessionStatements: [try await showToken(of: app)])
        return try await pool.withConnection { connection in
            try await runner.run(definition, parameters, appName: name, on: connection)
        }
    }

    /// The definitions of metrics by name, or of all, as JSON objects.
    package func definitions(of names: [String]? = nil) async throws -> [String] {
        try await pool.withConnection { connection in
            let rows = try await connection.query(
                """
                select afterpush.definitions(
                    coalesce($1, (select array_agg(distinct name order by name) from afterpush.metric_definitions))
                )
                """, [names.map { Parameter.textArray($0) } ?? .unknown(nil)])
            return try rows.map { try $0.decode(String.self, column: 0) }
        }
    }

    /// What writes a result in a format; JSON carries the definitions of its columns.
    package func format(_ output: ReportOutput, of result: ReportResult) async throws -> any ReportFormat {
        switch output {
        case .json: JSONFormat(definitions: try await definitions(of: result.columns.map(\.name)))
        case .ndjson: NDJSONFormat()
        case .csv(let raw): CSVFormat(raw: raw)
        case .table: TableFormat()
        }
    }

    private func showToken(of app: Int32) async throws -> SessionStatement {
        SessionStatement("select set_config('afterpush.report_token', $1, true)", values: [try await token(app)])
    }
}
