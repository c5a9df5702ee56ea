/// Makes the rows of `health`, each with all its columns.
struct HealthRows {
    let minN: Int

    /// A share of `n`, with its interval; left out, and the row marked, where `n` is under the floor.
    func share(
        _ section: String, _ item: Identifier?, platform: Identifier? = nil, _ count: Int, of n: Int,
        flag: String? = nil
    ) -> ModelRow {
        let rate = Rate("value", count, of: n)
        return row(
            section, item, platform, counted: count, rate.cells(minN: minN), unit: "ratio", n: n, at: nil, flag: flag,
            isSuppressed: rate.isSuppressed(minN: minN))
    }

    func quantity(
        _ section: String, _ item: Identifier?, _ value: Double?, _ unit: Identifier, n: Int, at: Int? = nil,
        flag: String? = nil
    ) -> ModelRow {
        let cells = [
            ModelRow.Cell(name: "value", value: value.map { .double($0) } ?? .null),
            ModelRow.Cell(name: "value_low", value: .null), ModelRow.Cell(name: "value_high", value: .null),
        ]
        return row(
            section, item, nil, counted: nil, cells, unit: unit, n: n, at: at, flag: flag, isSuppressed: false)
    }

    private func row(
        _ section: String, _ item: Identifier?, _ platform: Identifier?, counted: Int?, _ value: [ModelRow.Cell],
        unit: Identifier, n: Int, at: Int?, flag: String?, isSuppressed: Bool
    ) -> ModelRow {
        var row = ModelRow()
        row.append("section", .text(Identifier(section)))
        row.append("item", ModelValue(item))
        row.append("platform", ModelValue(platform))
        row.append("counted", counted.map { .int($0) } ?? .null)
        row.append(value)
        row.append("unit", .text(unit))
        row.append("n", .int(n))
        row.append("at", at.map { .int($0) } ?? .null)
        row.append("flag", flag.map { .text(Identifier($0)) } ?? .null)
        row.append("suppressed", .bool(isSuppressed))
        return row
    }
}
