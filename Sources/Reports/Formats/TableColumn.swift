import AfterpushWire
import Foundation

/// A column of a table: its heading and its formatted cells, without padding.
struct TableColumn {
    /// The place of the column in the result.
    let place: Int
    let heading: String
    private(set) var cells: [String]
    let isRightAligned: Bool
    /// Whether the values are fractions of one, shown as percentages.
    let isPercentage: Bool
    private(set) var width: Int
    let rank: Rank
    /// Whether the cells are texts, which can be clipped.
    private let isText: Bool

    /// How early the column is left out where there is not enough room: columns of the highest rank first, and of those
    /// the last.
    enum Rank: Int, Comparable {
        case key, first, main, rate, other, remark

        static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }

        /// What a reader looks for first comes before other rates, and remarks come last.
        fileprivate init(of column: ReportColumn) {
            switch column.name {
            case "answer": self = .key
            case "value", "verdict", "flag", "conversion_rate", "conversion": self = .first
            case "n", "base_n", "difference", "change", "total_value",
                "value_per_delivery", "value_difference", "events":
                self = .main
            case "base", "at", "first_at", "last_at", "offered_n", "reason", "replies", "title", "unit",
                "verified_share":
                self = .remark
            default:
                let isRate = (column.isRatio || column.isAmount) && !column.name.hasSuffix("_anytime")
                self = isRate ? .rate : column.kind == .boolean ? .remark : .other
            }
        }
    }

    /// The text that the column has in each of several rows, or nil if it is not a key, or they differ.
    var repeatedKey: String? {
        guard rank == .key, isText, cells.count > 1, let first = cells.first, first != "-" else { return nil }
        return cells.allSatisfy { $0 == first } ? first : nil
    }

    /// Returns the column with its texts clipped to a width, or to that of its heading.
    func clipped(to width: Int) -> TableColumn {
        let widest = max(width, DisplayWidth.of(heading))
        guard isText, widest < self.width else { return self }
        var column = self
        column.cells = cells.map { DisplayWidth.clip($0, to: widest) }
        column.width = widest
        return column
    }

    /// Returns the columns to show, and the number of columns left out because they have only nulls, zeros and `false`.
    ///
    /// The interval of a rate or an amount is shown in its cell. A `base` that is the same in all rows is left to the
    /// caller. If each row is a separate number, `value` with `low` and `high`, the rows with an interval are rates.
    ///
    /// - Parameter keepsEmpty: Whether empty columns are kept.
    static func columns(
        of result: ReportResult, keepsEmpty: Bool = false
    ) -> (columns: [TableColumn], leftOut: Int) {
        var columns: [TableColumn] = []
        var leftOut = 0
        let zone = TimeZone(identifier: result.zoneName) ?? .gmt
        let keys = keyColumns(of: result)
        for index in result.columns.indices {
            let column = result.columns[index]
            if result.companions.contains(column.name) || isBound(column, in: result)
                || (column.name == "base" && result.commonBase != nil)
            {
                continue
            }
            if !keepsEmpty, isEmpty(index, in: result) {
                leftOut += 1
            } else {
                columns.append(TableColumn(index, of: result, zone: zone, isKey: index < keys))
            }
        }
        return (columns, leftOut)
    }

    /// The number of leading columns that identify a row: texts and dates, and a time only in front of all.
    private static func keyColumns(of result: ReportResult) -> Int {
        let end = result.columns.enumerated().first { place, column in
            switch column.kind {
            case .text, .date: ["base", "title"].contains(column.name)
            case .time: place > 0
            // The hours and weekdays of a heatmap, and the groups of fatigue.
            case .integer: !["weekday", "hour", "recent_from", "recent_to"].contains(column.name)
            case .number, .boolean: true
            }
        }
        return end?.offset ?? result.columns.count
    }

    private init(_ index: Int, of result: ReportResult, zone: TimeZone, isKey: Bool) {
        let column = result.columns[index]
        let bounds = Self.bounds(of: column, in: result)
        let interval = result.intervalOfRows
        let isNumberOfRow = interval != nil && ["value", "previous", "compared", "change"].contains(column.name)
        let unit = column.name == "value" ? result.columns.firstIndex { $0.name == "unit" && $0.kind == .text } : nil
        let isDifference =
            column.name.contains("difference") || column.name.hasSuffix("change") || column.name == "detectable_effect"
        let times = column.kind == .time ? TimeText(result.rows.compactMap { $0[index] }, zone: zone) : nil
        place = index
        heading = column.name
        isRightAligned = column.isNumeric
        isPercentage = column.isRatio
        isText = column.kind == .text
        rank = isKey ? .key : Rank(of: column)
        cells = result.rows.map { row in
            guard let value = row[index] else { return "-" }
            if let times { return times.text(of: value) }
            guard column.isNumeric else {
                return TerminalText.visible(value)
            }
            if column.isAmount {
                guard let bounds, let low = row[bounds.low], let high = row[bounds.high] else {
                    return NumberText.amount(value)
                }
                return NumberText.amount(value, low: low, high: high)
            }
            let unit = unit.flatMap { row[$0] } ?? column.unit
            guard column.isRatio || unit == "ratio" || isNumberOfRow && interval.flatMap({ row[$0.low] }) != nil else {
                if column.isProbability { return NumberText.probability(value) }
                if unit == "seconds" { return NumberText.duration(value) }
                if column.showsInterval, !isNumberOfRow, unit == column.unit, let bounds, let low = row[bounds.low],
                    let high = row[bounds.high]
                {
                    return NumberText.number(value, low: low, high: high)
                }
                return column.kind == .number ? NumberText.short(value) : value
            }
            let sign = isDifference ? "pp" : "%"
            guard let bounds, let low = row[bounds.low], let high = row[bounds.high] else {
                return NumberText.percent(value, sign: sign)
            }
            return NumberText.percent(value, low: low, high: high, sign: sign)
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
                $0.name == rate
                    && ($0.showsInterval && $0.unit == column.unit || hasNumbers
                        || rate == "value" && result.columns.contains { $0.name == "unit" })
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

extension ReportColumn {
    /// Whether an interval of values, in columns of the same unit, is shown in their cells.
    fileprivate var showsInterval: Bool { kind == .number && unit != "seconds" && !isProbability }

    /// Whether values are p values of a test.
    fileprivate var isProbability: Bool {
        kind == .number && (name == "p" || name.hasPrefix("p_") || name.hasSuffix("_p") || name.contains("_p_"))
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

/// Formats the times of a column in a time zone, all with the same precision: days if each is midnight, else minutes if
/// each is a full minute, else seconds.
struct TimeText {
    private let style: Date.VerbatimFormatStyle

    init(_ times: [String], zone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = times.compactMap(Self.date).map { calendar.dateComponents([.hour, .minute, .second], from: $0) }
        let hasSeconds = parts.contains { $0.second != 0 }
        let areDays = !hasSeconds && parts.allSatisfy { $0.hour == 0 && $0.minute == 0 }
        let day: Date.FormatString = "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits)"
        let minute: Date.FormatString =
            """
            \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)
            """
        let second: Date.FormatString =
            """
            \(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)
            """
        style = Date.VerbatimFormatStyle(
            format: areDays ? day : hasSeconds ? second : minute, locale: Locale(identifier: "en_US_POSIX"),
            timeZone: zone, calendar: calendar)
    }

    func text(of time: String) -> String {
        Self.date(time).map { $0.formatted(style) } ?? TerminalText.visible(time)
    }

    private static func date(_ time: String) -> Date? {
        ReportTime.read(time, zone: .gmt).map { Date(timeIntervalSince1970: Double($0.microseconds) / 1_000_000) }
    }
}
