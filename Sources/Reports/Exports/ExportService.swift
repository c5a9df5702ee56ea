package import Postgres
import SQLFiles

/// Exports an app's rows, as a role that sees only the rows of that app.
///
/// An export is a chain of short queries, each of which resumes after the last row of the previous one. Between them,
/// and while it waits for a slow reader, it holds no connection and no snapshot. It is therefore not a consistent
/// snapshot: it has all rows stored before it began, and may have some of the rows stored since. If retention deletes
/// events or deliveries meanwhile that it should have, it fails at its end. An export of replies doesn't: it may lack
/// texts that reached the end of their retention meanwhile.
package struct ExportService: Sendable {
    /// An error: an export may lack rows that were stored when it began.
    package struct RowsDeleted: Error, CustomStringConvertible {
        let kind: ExportKind
        package var description: String {
            "retention or an archive deleted \(kind.rawValue) while they were exported; export again from the beginning"
        }
    }

    private let pool: ReadPool

    /// Creates a service that uses a pool's connections.
    ///
    /// - Parameter pool: The connections of the reading role, for long queries.
    package init(pool: ReadPool) {
        self.pool = pool
    }

    /// Checks that rows can be read, before anything is sent.
    package func check(_ request: ExportRequest, app: Int32) async throws {
        _ = try await slice(request, app, after: request.after, rows: 0)
    }

    /// Writes the header and all rows in pieces of complete lines, and queries the next rows meanwhile.
    ///
    /// - Parameter onProgress: Called with the cursor of the last row that `sink` received.
    /// - Returns: The cursor of the last row, or `request.after` if there were no rows.
    @discardableResult
    package nonisolated(nonsending) func run(
        _ request: ExportRequest, app: Int32, header: Bool = true, into sink: ReportSink,
        onProgress: (_ place: ExportCursor, _ rows: Int) -> Void = { _, _ in }
    ) async throws -> ExportCursor? {
        let writer = RowWriter(request.format, request.columns)
        let stored = request.kind == .replies ? nil : try await storedRows(request.kind, app)
        if header, !writer.header.isEmpty { try await sink(writer.header) }
        var plan = SlicePlan()
        var place = request.after
        var (slice, wasCut) = try await self.slice(request, app, after: place, rows: plan.rows)
        while let last = slice.last(of: request.kind) {
            place = last
            let isLast = plan.isLast(slice, wasCut: wasCut)
            plan.learn(from: slice)
            // This task and its query are cancelled if the reader disconnects.
            let rows = plan.rows
            async let next = isLast ? (ExportSlice(), false) : self.slice(request, app, after: last, rows: rows)
            for piece in slice.pieces {
                // A sink may accept many pieces without suspending, which would delay the next query and other tasks.
                await Task.yield()
                try await sink(writer.written(piece.bytes, count: piece.rows))
            }
            onProgress(last, slice.rows)
            (slice, wasCut) = try await next
        }
        if let stored, try await areDeleted(stored, request, app) { throw RowsDeleted(kind: request.kind) }
        return place
    }

    /// The end of the sealed hours, the months of events, and how often retention has deleted rows, when an export began.
    ///
    /// The primary says so, and whether that has changed at the end: rows may be read from it although the export began on a
    /// replica, and a replica that is behind does not know yet what the primary has deleted.
    private struct StoredRows {
        let sealedBefore: String
        let partitions: [Int64]
        let deletions: Int64
    }

    private nonisolated(nonsending) func storedRows(_ kind: ExportKind, _ app: Int32) async throws -> StoredRows {
        try await pool.withPrimaryConnection(of: app) { connection in
            let row = try await connection.query(SQLFiles.exportStart.text, [.text(kind.rawValue)])[0]
            let (sealedBefore, partitions, deletions) = try row.decode(String.self, [Int64].self, Int64.self)
            return StoredRows(sealedBefore: sealedBefore, partitions: partitions, deletions: deletions)
        }
    }

    private nonisolated(nonsending) func areDeleted(
        _ stored: StoredRows, _ request: ExportRequest, _ app: Int32
    ) async throws -> Bool {
        try await pool.withPrimaryConnection(of: app) { connection in
            let rows = try await connection.query(
                SQLFiles.checkExport.text,
                [
                    .text(request.kind.rawValue), .text(stored.sealedBefore), .int8Array(stored.partitions),
                    .int8(stored.deletions), .text(request.from),
                ])
            return try rows[0].decode(Bool.self, column: 0)
        }
    }

    private struct SliceIsFull: Error {}

    private func slice(
        _ request: ExportRequest, _ app: Int32, after place: ExportCursor?, rows: Int
    ) async throws -> (ExportSlice, wasCut: Bool) {
        let sql = request.statement(after: place, limit: rows)
        return try await pool.withConnection(of: app) { connection in
            try Task.checkCancellation()
            // A query that is repeated on another server begins with an empty one.
            let buffer = ExportSliceBuffer()
            do {
                try await withTaskCancellationHandler {
                    try await connection.copyOut(
                        sql, statementTimeout: Self.timeout, replyTimeout: Self.timeout + .seconds(10),
                        settings: Self.settings, opening: ReportAccess.opening(app: app), snapshot: request.snapshot
                    ) { piece in
                        try Task.checkCancellation()
                        if buffer.append(piece) > SlicePlan.limit { throw SliceIsFull() }
                    }
                } onCancel: {
                    connection.cancel()
                }
            } catch is SliceIsFull {
                return (buffer.slice, true)
            }
            return (buffer.slice, false)
        }
    }

    /// The time limit of a query, long enough for a filter that matches hardly any rows.
    private static let timeout: Duration = .seconds(600)

    /// The settings that make the planner use the index even without statistics; sorting all rows per slice is slow.
    private static let settings = [
        (name: "enable_seqscan", value: "off"), (name: "enable_bitmapscan", value: "off"),
    ]
}
