/// A readable description of all differences between the model's rows and a served report; nil if they are equal.
///
/// Rows are compared in order. Counts, texts, Booleans and nulls must be equal, doubles may differ by 1e-9 and
/// quantiles by 5 %. `ignoring` names columns to skip, such as `category_version`, which the model doesn't have.
package func difference(
    model: [ModelRow],
    served: ServedReport,
    ignoring ignored: Set<String> = []
) -> String? {
    var lines: [String] = []
    if let names = served.columns?.filter({ !ignored.contains($0) }), let first = model.first,
        names != first.columns.filter({ !ignored.contains($0) })
    {
        lines.append("columns: model \(first.columns), served \(names)")
    }
    if model.count != served.rows.count {
        lines.append("rows: model \(model.count), served \(served.rows.count)")
    }
    for (index, row) in model.enumerated() {
        guard index < served.rows.count else {
            lines.append("row \(index) {\(label(row))}: not served")
            continue
        }
        let cells = served.rows[index].filter { !ignored.contains($0.key) }
        lines += differences(row.without(ignored), cells).map { "row \(index) {\(label(row))} " + $0 }
    }
    for (index, cells) in served.rows.enumerated().dropFirst(model.count) {
        lines.append("row \(index): only served: \(cells.sorted { $0.key < $1.key })")
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
}

private func differences(_ row: ModelRow, _ served: [String: ModelValue]) -> [String] {
    var lines: [String] = []
    for cell in row.cells {
        guard let value = served[cell.name] else {
            lines.append("column \(cell.name): model \(cell.value), not served")
            continue
        }
        if !agree(cell.name, cell.value, value) {
            lines.append("column \(cell.name): model \(cell.value), served \(value)")
        }
    }
    for name in served.keys.sorted() where row[name] == nil {
        lines.append("column \(name): only served: \(served[name] ?? .null)")
    }
    return lines
}

private func agree(_ column: String, _ model: ModelValue, _ served: ModelValue) -> Bool {
    guard case .double(let expected) = model else { return model == served }
    let actual: Double
    switch served {
    case .double(let double): actual = double
    case .int(let int): actual = Double(int)
    default: return false
    }
    let tolerance = ["p50_seconds", "p90_seconds", "p99_seconds"].contains(column) ? 0.05 * expected + 1e-9 : 1e-9
    return abs(actual - expected) <= tolerance
}

/// The cells before the first count, which identify the row.
private func label(_ row: ModelRow) -> String {
    let leading = row.cells.prefix { cell in
        if case .int = cell.value { return false }
        return true
    }
    return leading.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
}
