import Reports

extension ReportResult {
    /// Creates a result of rows that are in memory, up to the limits.
    init(
        of definition: ReportDefinition, parameters: ReportParameters, asOf: String, columns: [String],
        rows: ReportRows, rowLimit: Int? = nil, byteLimit: Int? = nil
    ) throws(ReportError) {
        var checked = try CheckedRows(columns: columns, of: definition, rowLimit: rowLimit, byteLimit: byteLimit)
        for row in rows { try checked.add(row) }
        self.init(of: definition, parameters: parameters, asOf: asOf, rows: checked)
    }
}
