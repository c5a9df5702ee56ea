/// A column of a table: its heading and its formatted cells, without padding.
struct TableColumn {
    let heading: String
    let cells: [String]
    let isRightAligned: Bool
    /// Whether the column identifies the row and is repeated in every part of a wide table.
    let isKey: Bool
    let width: Int

    private static let widestText = 40

    /// Returns the columns to show, and the number of columns left out because they have only nulls, zeros and `false`.
    ///
    /// The interval of a rate or an amount is shown in its cell. A `base` that is the same in all rows is left to the caller. If
    /// each row is a separate number, `value` with `low` and `high`, the rows with an interval are rates.
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
        let bounds = Self.bounds(of: column, in: result)
        let interval = result.intervalOfRows
        let isNumberOfRow = interval != nil && column.kind == .number
        heading = column.name
        isRightAligned = column.isNumeric
        isKey = !column.isNumeric && column.kind != .boolean && column.name != "base"
        cells = result.rows.map { row in
            guard let value = row[index] else { return "-" }
            guard column.isNumeric else {
                let text = TerminalText.visible(value)
                return clips ? DisplayWidth.clip(text, to: Self.widestText) : text
            }
            if column.isAmount {
                guard let bounds, let low = row[bounds.low], let high = row[bounds.high] else {
                    return NumberText.amount(value)
                }
                return NumberText.amount(value, low: low, high: high)
            }
            guard column.isRatio || isNumberOfRow && interval.flatMap({ row[$0.low] }) != nil else {
                return column.kind == .number ? NumberText.short(value) : value
            }
            guard let bounds, let low = row[bounds.low], let high = row[bounds.high] else {
                return NumberText.percent(value)
            }
            return NumberText.percent(value, low: low, high: high)
        }
        width = cells.reduce(DisplayWidth.of(column.name)) { max($0, DisplayWidth.of($1)) }
    }

    /// Returns the positions of the columns of a rate's interval.
    private static func bounds(of column: ReportColumn, in result: ReportResult) -> (low: Int, high: Int)? {
        if column.name == "value", let interval = result.intervalOfRows { return interval }
        return result.interval(named: column.name + "_")
    }

    /// Whether a column is a bound of an interval that is shown in another cell.
    private static func isBound(_ column: ReportColumn, in result: ReportResult) -> Bool {
        let hasNumbers = result.intervalOfRows != nil
        if hasNumbers, column.name == "low" || column.name == "high" { return true }
        for suffix in ["_low", "_high"] where column.name.hasSuffix(suffix) {
            let rate = String(column.name.dropLast(suffix.count))
            guard result.interval(named: rate + "_") != nil else { return false }
            return result.columns.contains {
                $0.name == rate && ($0.isRatio && column.isRatio || $0.isAmount && column.isAmount || hasNumbers)
            }
        }
        return false
    }

    private static func isEmpty(_ index: Int, in result: ReportResult) -> Bool {
        guard !result.rows.isEmpty else { return false }
        let column = result.columns[index]
        return result.rows.allSatisfy { row in
            guard let value = row[index] else { return true }
            // A rate of zero is meaningful, especially with its interval, and a text "0" is a name.
            return column.kind != .text && !column.isRatio && (value == "false" || Double(value) == 0)
        }
    }
}

extension ReportResult {
    /// The positions of `low` and `high` if each row is a separate number.
    fileprivate var intervalOfRows: (low: Int, high: Int)? {
        columns.contains { $0.name == "value" } ? interval(named: "") : nil
    }

    /// Returns the positions of the bounds of an interval, or `nil` unless there are both.
    fileprivate func interval(named prefix: String) -> (low: Int, high: Int)? {
        guard let low = columns.firstIndex(where: { $0.name == prefix + "low" }),
            let high = columns.firstIndex(where: { $0.name == prefix + "high" })
        else { return nil }
        return (low, high)
    }

    /// The base that all rows share, or `nil` if they have different bases or no base.
    var commonBase: String? {
        guard let index = columns.firstIndex(where: { $0.name == "base" }) else { return nil }
        guard let base = rows.first?[index] else { return nil }
        return rows.allSatisfy { $0[index] == base } ? base : nil
    }
}
