import AfterpushWire
import Foundation

/// What of a result is shown: an order of the rows, a number of them, and a choice of columns.
package struct ReportView: Sendable, Equatable {
    package struct Order: Sendable, Equatable {
        let column: String
        let isDescending: Bool
    }

    private let order: [Order]
    private let limit: Int?
    private let columns: [String]

    /// Reads a view.
    ///
    /// - Parameters:
    ///   - sort: Columns, the most important first, each with `:desc` for the highest value first, such as
    ///     `campaign_id,conversion_rate:desc`.
    ///   - limit: The number of rows, at least 1.
    ///   - columns: Names of columns in the order in which they are shown.
    /// - Throws: A `ReportError.parameter` for a value that is invalid, or that names no column of the report.
    package init(
        sort: String?, limit: String?, columns: String?, of definition: ReportDefinition
    ) throws(ReportError) {
        let names = definition.columns.map(\.name)
        func check(_ name: String, _ parameter: String) throws(ReportError) {
            guard !names.contains(name) else { return }
            throw .parameter(
                name: parameter,
                detail: "names no column of the report \(definition.name)\(Suggestion.text(for: name, in: names))")
        }
        var order: [Order] = []
        for word in Self.words(sort) {
            let parts = word.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 1 || parts.count == 2 && ["asc", "desc"].contains(parts[1]) else {
                throw .parameter(name: "sort", detail: "must be columns like sent or conversion_rate:desc")
            }
            try check(parts[0], "sort")
            order.append(Order(column: parts[0], isDescending: parts.last == "desc" && parts.count == 2))
        }
        self.order = order
        self.columns = Self.words(columns)
        for name in self.columns { try check(name, "columns") }
        guard Set(self.columns).count == self.columns.count else {
            throw .parameter(name: "columns", detail: "has a duplicate")
        }
        guard let limit, !limit.isEmpty else {
            self.limit = nil
            return
        }
        guard let number = Int(limit), number > 0 else {
            throw .parameter(name: "limit", detail: "must be an integer of at least 1")
        }
        self.limit = number
    }

    private static func words(_ text: String?) -> [String] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    /// Returns the result as it is shown. A named column that the result does not have, such as a group that was not
    /// asked for, is left out; nulls come last in either direction, and equal rows keep their order. In an output for
    /// people, a rate brings its interval with it.
    package func of(_ result: ReportResult, for output: ReportOutput) -> ReportResult {
        var places = Array(result.rows.indices)
        let keys = order.compactMap { order in
            result.columns.firstIndex { $0.name == order.column }.map { place in
                (
                    values: result.rows.map { Key($0[place], result.columns[place].kind) },
                    isDescending: order.isDescending
                )
            }
        }
        if !keys.isEmpty {
            places.sort { one, other in
                for (values, isDescending) in keys {
                    let (a, b) = (values[one], values[other])
                    if a == b { continue }
                    if a == .missing || b == .missing { return b == .missing }
                    return isDescending ? b < a : a < b
                }
                return one < other
            }
        }
        if let limit { places = Array(places.prefix(limit)) }
        return result.selecting(rows: places, columns: columns, withCompanions: output.isForPeople)
    }

    /// A value by which rows are ordered.
    private enum Key: Comparable {
        case number(Double)
        case text(String)
        case missing

        init(_ value: String?, _ kind: ReportColumn.Kind) {
            guard let value else {
                self = .missing
                return
            }
            self =
                switch kind {
                case .integer, .number: Double(value).map { .number($0) } ?? .text(value)
                case .time:
                    ReportTime.read(value, zone: .gmt).map { .number(Double($0.microseconds)) } ?? .text(value)
                case .text, .boolean, .date: .text(value)
                }
        }
    }
}
