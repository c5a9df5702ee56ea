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

    /// Creates the result of a statement whose rows were checked against the head.
    package init(
        of definition: ReportDefinition, parameters: ReportParameters, asOf: String, rows: CheckedRows
    ) {
        report = definition.name
        title = definition.title
        self.asOf = asOf
        self.parameters = parameters.entries
        isTruncated = rows.isTruncated
        columns = rows.columns
        self.rows = rows.rows
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
}
