/// A column of a table: its heading and its cells, laid out but not padded.
struct TableColumn {
    let heading: String
    let cells: [String]
    let isRightAligned: Bool
    /// Says which row it is; repeated when a table is broken into parts.
    let isKey: Bool
    let width: Int

    private static let widestText = 40

    /// The columns worth showing, and how many were left out for holding nothing but nulls, zeros and `false`.
    ///
    /// A rate takes the columns of its interval into its own cell. A `base` that is the same in every row is the
    /// caller's to state.
    static func columns(of result: ReportResult, wide: Bool) -> (columns: [TableColumn], leftOut: Int) {
        var columns: [TableColumn] = []
        var leftOut = 0
        for index in result.columns.indices {
            let column = result.columns[index]
            if isBound(column, in: result) || (column.name == "base" && result.commonBase != nil) { continue }
            if !wide, isEmpty(index, in: result) {
                leftOut += 1
            } else {
                columns.append(TableColumn(index, of: result, clips: !wide))
            }
        }
        return (columns, leftOut)
    }

    private init(_ index: Int, of result: ReportResult, clips: Bool) {
        let column = result.columns[index]
        let low = result.columns.firstIndex { $0.name == column.name + "_low" }
        let high = result.columns.firstIndex { $0.name == column.name + "_high" }
        heading = column.name
        isRightAligned = column.isNumeric
        isKey = !column.isNumeric && column.kind != .boolean && column.name != "base"
        cells = result.rows.map { row in
            guard let value = row[index] else { return "-" }
            guard column.isNumeric else {
                let text = TerminalText.visible(value)
                return clips ? DisplayWidth.clip(text, to: Self.widestText) : text
            }
            guard column.isRatio else { return column.kind == .number ? NumberText.short(value) : value }
            guard let low, let high, let low = row[low], let high = row[high] else { return NumberText.percent(value) }
            return NumberText.percent(value, low: low, high: high)
        }
        width = cells.reduce(DisplayWidth.of(column.name)) { max($0, DisplayWidth.of($1)) }
    }

    /// Whether the column is the end of an interval that stands in its rate's cell.
    private static func isBound(_ column: ReportColumn, in result: ReportResult) -> Bool {
        for suffix in ["_low", "_high"] where column.name.hasSuffix(suffix) {
            let rate = column.name.dropLast(suffix.count)
            let names = [String(rate), "\(rate)_low", "\(rate)_high"]
            let found = names.compactMap { name in result.columns.first { $0.name == name && $0.isRatio } }
            return found.count == 3
        }
        return false
    }

    private static func isEmpty(_ index: Int, in result: ReportResult) -> Bool {
        guard !result.rows.isEmpty else { return false }
        let column = result.columns[index]
        return result.rows.allSatisfy { row in
            guard let value = row[index] else { return true }
            // A rate of zero says something, most of all with its interval; a text of "0" is a name.
            return column.kind != .text && !column.isRatio && (value == "false" || Double(value) == 0)
        }
    }
}

extension ReportResult {
    /// The base that every row has; nil if they differ or there is none.
    var commonBase: String? {
        guard let index = columns.firstIndex(where: { $0.name == "base" }) else { return nil }
        guard let base = rows.first?[index] else { return nil }
        return rows.allSatisfy { $0[index] == base } ? base : nil
    }
}
