/// Rows of a statement's result that were checked against the report's head and brought into canonical form as they
/// arrived, up to limits.
package struct CheckedRows {
    /// The columns in the order of the statement, as declared in the head.
    let columns: [ReportColumn]
    /// The rows, with one value per column in the canonical text of its type.
    private(set) var rows = ReportRows()
    /// Whether rows were left out.
    private(set) var isTruncated = false
    private let report: String
    private let rowLimit: Int?
    private let byteLimit: Int

    /// Begins with a statement's columns. An undeclared or repeated column is an error.
    ///
    /// - Parameters:
    ///   - rowLimit: The maximum number of rows, or `nil` for no limit.
    ///   - byteLimit: The maximum size of the rows in memory, in bytes, or `nil` for one that no report reaches.
    package init(
        columns names: [String], of definition: ReportDefinition, rowLimit: Int? = nil, byteLimit: Int? = nil
    ) throws(ReportError) {
        report = definition.name
        self.rowLimit = rowLimit
        self.byteLimit = min(byteLimit ?? .max, ReportRows.maximumSize)
        var columns: [ReportColumn] = []
        for name in names {
            guard let column = definition.columns.first(where: { $0.name == name }) else {
                throw .result(report: report, detail: "the head does not declare the column \(name)")
            }
            guard !columns.contains(where: { $0.name == name }) else {
                throw .result(report: report, detail: "the statement returns the column \(name) twice")
            }
            columns.append(column)
        }
        self.columns = columns
    }

    /// Adds a row, unless one was left out before or it exceeds a limit. A value that does not fit its column is an error.
    package mutating func add(_ row: some ValueRow) throws(ReportError) {
        isTruncated = isTruncated || rows.count >= rowLimit ?? .max || rows.size + Self.size(of: row) > byteLimit
        if isTruncated { return }
        var values = 0
        try row.forEachValue { place, value throws(ReportError) in
            guard place < columns.count else { throw failure("a row has more values than there are columns") }
            do throws(ReportColumn.Kind.Mismatch) {
                try columns[place].kind.append(value, to: &rows)
            } catch {
                throw failure(
                    "the column \(columns[place].name) has a value that is not of type \(error.kind.rawValue)")
            }
            values += 1
        }
        guard values == columns.count else { throw failure("a row has fewer values than there are columns") }
        rows.endRow()
        // A value can become longer, such as `t`, which is `true` now.
        if rows.size > byteLimit {
            rows.removeLast()
            isTruncated = true
        }
    }

    /// Marks that the server has left out rows.
    mutating func markTruncated() {
        isTruncated = true
    }

    /// The bytes that a row takes as PostgreSQL sent it.
    private static func size(of row: some ValueRow) -> Int {
        var size = 4
        row.forEachValue { _, value in size += 4 + (value?.count ?? 0) }
        return size
    }

    private func failure(_ detail: String) -> ReportError {
        .result(report: report, detail: detail)
    }
}
