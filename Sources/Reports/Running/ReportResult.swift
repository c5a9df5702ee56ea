/// A report's result, ready for any output format.
package struct ReportResult: Sendable, Equatable {
    package let report: String
    package let title: String
    /// The time of the result in RFC 3339; every event that got 200 before it is counted.
    package let asOf: String
    package let parameters: [ReportParameters.Entry]
    /// The columns in the order of the statement, as declared in the head.
    package private(set) var columns: [ReportColumn]
    /// The rows, with one value per column in the canonical text of its type; `nil` is null.
    package private(set) var rows: ReportRows
    /// Whether there were more rows than the limit.
    package let isTruncated: Bool
    /// Columns that are shown as a part of others only: the interval of a rate, and what else makes it readable.
    private(set) var companions: Set<String> = []

    /// Checks the result of a statement against the head.
    ///
    /// An undeclared column, a repeated column and a value that does not fit its type are errors.
    ///
    /// - Parameters:
    ///   - rowLimit: The maximum number of rows, or `nil` for no limit.
    ///   - hasMore: Whether the server has left out rows already.
    package init(
        of definition: ReportDefinition,
        parameters: ReportParameters,
        asOf: String,
        columns names: [String],
        rows: some ValueRows,
        rowLimit: Int? = nil,
        hasMore: Bool = false
    ) throws(ReportError) {
        let kept = min(rows.count, rowLimit ?? .max)
        report = definition.name
        title = definition.title
        self.asOf = asOf
        self.parameters = parameters.entries
        isTruncated = hasMore || kept < rows.count
        columns = try Self.columns(names, of: definition)
        self.rows = try Self.canonical(rows, kept, columns, of: definition)
    }

    /// Returns the result with only some rows, in the given order, and only the named columns, in that order; with all
    /// columns if none is named. A name that the result does not have is ignored.
    ///
    /// - Parameter withCompanions: Whether the named columns bring those with them that make them readable.
    package func selecting(
        rows places: [Int]? = nil, columns names: [String], withCompanions: Bool = false
    ) -> ReportResult {
        let asked = names.compactMap { name in columns.firstIndex { $0.name == name } }
        let added = withCompanions ? columns.indices.filter { !asked.contains($0) && isCompanion($0, of: names) } : []
        let kept = names.isEmpty ? Array(columns.indices) : asked + added
        var result = self
        result.companions = Set(names.isEmpty ? [] : added.map { columns[$0].name })
        result.columns = kept.map { columns[$0] }
        result.rows = ReportRows((places ?? Array(rows.indices)).map { row in kept.map { rows[row][$0] } })
        return result
    }

    /// Whether a column makes others readable: it bounds one of them, or says what rates are shares of, why they are
    /// hidden, or in which unit the value of a row is.
    private func isCompanion(_ place: Int, of names: [String]) -> Bool {
        let name = columns[place].name
        let isOfNumbers =
            columns.contains { $0.name == "value" } && columns.contains { $0.name == "unit" || $0.name == "low" }
        if isOfNumbers, ["value", "low", "high", "unit"].contains(name) {
            return !names.allSatisfy { !["value", "previous", "compared", "change"].contains($0) }
        }
        for suffix in ["_low", "_high"] where name.hasSuffix(suffix) {
            return names.contains(String(name.dropLast(suffix.count)))
        }
        let hasRate = columns.contains { names.contains($0.name) && ($0.isRatio || $0.isAmount) }
        return hasRate && ["base", "suppressed"].contains(name)
    }

    private static func columns(
        _ names: [String], of definition: ReportDefinition
    ) throws(ReportError) -> [ReportColumn] {
        var columns: [ReportColumn] = []
        for name in names {
            guard let column = definition.columns.first(where: { $0.name == name }) else {
                throw .result(report: definition.name, detail: "the head does not declare the column \(name)")
            }
            guard !columns.contains(where: { $0.name == name }) else {
                throw .result(report: definition.name, detail: "the statement returns the column \(name) twice")
            }
            columns.append(column)
        }
        return columns
    }

    /// Returns the first `count` rows with canonical values.
    private static func canonical(
        _ rows: some ValueRows, _ count: Int, _ columns: [ReportColumn], of definition: ReportDefinition
    ) throws(ReportError) -> ReportRows {
        func failure(_ detail: String) -> ReportError {
            .result(report: definition.name, detail: detail)
        }
        let kinds = columns.map(\.kind)
        var canonical = ReportRows()
        canonical.reserveCapacity(rows: count, columns: columns.count)
        for row in 0..<count {
            var values = 0
            try rows.forEachValue(ofRow: row) { place, value throws(ReportError) in
                guard place < kinds.count else { throw failure("a row has more values than there are columns") }
                do throws(ReportColumn.Kind.Mismatch) {
                    try kinds[place].append(value, to: &canonical)
                } catch {
                    throw failure(
                        "the column \(columns[place].name) has a value that is not of type \(error.kind.rawValue)")
                }
                values += 1
            }
            guard values == columns.count else { throw failure("a row has fewer values than there are columns") }
            canonical.endRow()
        }
        return canonical
    }
}
