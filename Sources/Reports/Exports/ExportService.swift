package import Postgres

/// Exports an app's rows, as the role that sees that app's rows alone.
///
/// An export is a chain of short queries, each going on behind the last row of the one before: between them, and while
/// its reader takes its time, it holds no connection and no snapshot. So it is not the state of one moment: it has all
/// that was stored when it began, and may have some of what came since.
package struct ExportService: Sendable {
    private let pool: ConnectionPool
    private let token: @Sendable (_ appID: Int32) async throws -> String

    /// - Parameters:
    ///   - pool: of the role that reads, for long queries.
    ///   - token: shows that role an app's rows.
    package init(pool: ConnectionPool, token: @escaping @Sendable (_ appID: Int32) async throws -> String) {
        self.pool = pool
        self.token = token
    }

    /// Finds out whether rows can be read at all, before anything is sent.
    package func check(_ request: ExportRequest, app: Int32) async throws {
        _ = try await slice(request, app, after: request.after, rows: 0)
    }

    /// Writes the header and all rows, in pieces of whole lines; the next is made while `sink` takes one.
    ///
    /// - Parameter onProgress: called with the place of the last row that `sink` took.
    /// - Returns: the place of the last row; nil if there was none.
    @discardableResult
    package nonisolated(nonsending) func run(
        _ request: ExportRequest, app: Int32, header: Bool = true, into sink: ReportSink,
        onProgress: (_ place: ExportCursor, _ rows: Int) -> Void = { _, _ in }
    ) async throws -> ExportCursor? {
        let writer = RowWriter(request.format, request.columns)
        if header, !writer.header.isEmpty { try await sink(writer.header) }
        var plan = SlicePlan()
        var place = request.after
        var (slice, wasCut) = try await self.slice(request, app, after: place, rows: plan.rows)
        while let last = slice.last(of: request.kind) {
            place = last
            let isLast = plan.isLast(slice, wasCut: wasCut)
            plan.learn(from: slice)
            // Cancelled, and with it its query, when the reader is gone.
            let rows = plan.rows
            async let next = isLast ? (ExportSlice(), false) : self.slice(request, app, after: last, rows: rows)
            for piece in slice.pieces {
                // A sink may take many pieces without a pause; the next query, and everybody else, would wait for them.
                await Task.yield()
                try await sink(writer.written(piece.bytes, count: piece.rows))
            }
            onProgress(last, slice.rows)
            (slice, wasCut) = try await next
        }
        return place
    }

    private struct SliceIsFull: Error {}

    private func slice(
        _ request: ExportRequest, _ app: Int32, after place: ExportCursor?, rows: Int
    ) async throws -> (ExportSlice, wasCut: Bool) {
        let settings = Self.settings + [(name: "afterpush.report_token", value: try await token(app))]
        let sql = request.statement(after: place, limit: rows)
        let gathered = ExportSliceBuffer()
        do {
            try await pool.withConnection { connection in
                try Task.checkCancellation()
                try await withTaskCancellationHandler {
                    try await connection.copyOut(
                        sql, statementTimeout: Self.timeout, replyTimeout: Self.timeout + .seconds(10),
                        settings: settings
                    ) { piece in
                        try Task.checkCancellation()
                        if gathered.append(piece) > SlicePlan.limit { throw SliceIsFull() }
                    }
                } onCancel: {
                    connection.cancel()
                }
            }
        } catch is SliceIsFull {
            return (gathered.slice, true)
        }
        return (gathered.slice, false)
    }

    /// For a filter that lets hardly any row through.
    private static let timeout: Duration = .seconds(600)

    /// However little is known of the tables, rows come by their index: sorting them all for each slice never pays.
    private static let settings = [
        (name: "enable_seqscan", value: "off"), (name: "enable_bitmapscan", value: "off"),
    ]
}
