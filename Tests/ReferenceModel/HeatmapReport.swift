import Foundation

/// Computes the report `heatmap` (decision D44).
package func heatmapReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = selection.timeZone
    func local(_ component: Calendar.Component, _ hour: Int) -> Int {
        calendar.component(component, from: Date(timeIntervalSince1970: Double(hour / 1_000_000)))
    }
    let selected = Selected(events, declarations, selection, byTime: true)
    // "Declared sends are no base by day or hour."
    let groups = selected.groups(countsDeclaredSends: false, listsDeclaredSends: false) { placement in
        // The calendar's first weekday is Sunday, and the report's is Monday.
        let weekday = (local(.weekday, placement.hour) + 5) % 7 + 1
        let hour = local(.hour, placement.hour)
        return [Identifier("\(weekday)"), Identifier(hour < 10 ? "0\(hour)" : "\(hour)")]
    }
    return groups.map { group in
        let base = group.baseCount()
        var row = ModelRow()
        row.append("weekday", .int(Int(group.key[0]?.text ?? "") ?? 0))
        row.append("hour", .int(Int(group.key[1]?.text ?? "") ?? 0))
        row.append("base_n", .int(base))
        row.append("responded", .int(group.count(\.isResponded)))
        let rate = Rate("response_rate", group.numerator(\.isResponded), of: base)
        row.append(rate.cells(minN: selection.minN))
        row.append("suppressed", .bool(rate.isSuppressed(minN: selection.minN)))
        row.append("reason", rate.reason(minN: selection.minN).map { .text($0) } ?? .null)
        return row
    }
}
