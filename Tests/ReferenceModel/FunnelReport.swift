/// Computes the report `funnel` (decision D43).
package func funnelReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    let selected = Selected(events, declarations, selection)
    var groups = selected.groups(countsDeclaredSends: !selection.groupsByTime) { placement in
        selection.by.map { placement.value(of: $0, in: selection) }
    }
    if selection.by.isEmpty, groups.isEmpty {
        groups = [Group(key: [], bases: selected.bases, countsDeclaredSends: true, deliveries: [], sends: [])]
    }
    return groups.flatMap { funnelRows($0, selection) }
}

private func funnelRows(_ group: Group, _ selection: Selection) -> [ModelRow] {
    // "Declared sends by day or hour ... are no base there".
    let sends = group.baseSendCount() == group.sendCount() ? group.sendCount() : nil
    let steps = [
        ("sent", group.sendCount()),
        ("delivered", group.count(\.isDelivered)),
        ("displayed", group.count(\.isDisplayed)),
        ("responded", group.count(\.isResponded)),
        ("acted", group.count(\.isActed)),
        ("converted", group.count(\.isConverted)),
    ]
    var previous: Int?
    return steps.map { step, count in
        var row = ModelRow()
        for (grouping, value) in zip(selection.by, group.key) {
            row.append(grouping.column, ModelValue(value))
        }
        row.append("step", .text(Identifier(step)))
        row.append("deliveries", .int(count))
        row.append("share_of_first", share(count, of: sends))
        row.append("share_of_previous", share(count, of: previous))
        row.append("reason", reason(count, of: step == "sent" ? [sends] : [sends, previous]))
        previous = step == "sent" ? sends : count
        return row
    }
}

/// Why a share is missing: there is nothing that it is a share of, or less than it.
private func reason(_ count: Int, of wholes: [Int?]) -> ModelValue {
    if wholes.contains(where: { ($0 ?? 0) == 0 }) { return .text("no_base") }
    return wholes.contains { count > ($0 ?? 0) } ? .text("uncovered") : .null
}

/// Null if the denominator is zero or smaller than the count.
private func share(_ count: Int, of whole: Int?) -> ModelValue {
    guard let whole, whole > 0, count <= whole else { return .null }
    return .double(Double(count) / Double(whole))
}
