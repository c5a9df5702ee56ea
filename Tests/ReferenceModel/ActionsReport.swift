/// The report `actions`, category x campaign x variant x action, recomputed (decision D12).
package func actionsReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    let groups = Selected(events, declarations, selection).groups(countsDeclaredSends: true) { placement in
        [placement.dimensions.category, placement.dimensions.campaign, placement.dimensions.variant]
    }
    var rows: [ActionRow] = []
    for group in groups {
        rows += declaredRows(of: group)
        rows += undeclaredRows(of: group)
    }
    rows += rowsNeverOffered(declarations, selection, besides: rows)
    rows.sort { left, right in
        if left.key != right.key { return precedes(left.key, right.key) }
        return left.declared && !right.declared
    }
    return rows.map { $0.row(title: title($0, declarations), minN: selection.minN) }
}

/// A row for each action that the version of some delivery or send of the group offers (decision D12).
private func declaredRows(of group: Group) -> [ActionRow] {
    let placements = group.deliveries.map(\.placement) + group.sends.map(\.placement)
    let offered = Set(placements.flatMap { $0.version?.actions ?? [] }.map(\.id))
    return offered.map { action in
        let offering = group.part { $0.offers(action) }
        var row = ActionRow(group: group.key, action: action, declared: true)
        row.count(offering.deliveries)
        // "Base of deliveries whose category version offers x: `offered_n`".
        row.offered = offering.baseCount()
        // "`acted(x)`, version offers x", within the base.
        row.actedWithinBase = offering.numerator { $0.isActed(action) }
        return row
    }
}

/// "Taps on an action that the delivery's version did not offer stand in a row with `declared` false and no rate."
private func undeclaredRows(of group: Group) -> [ActionRow] {
    Set(group.deliveries.flatMap(\.actions)).compactMap { action in
        let notOffering = group.part { !$0.offers(action) }
        guard notOffering.count({ $0.isActed(action) }) > 0 else { return nil }
        var row = ActionRow(group: group.key, action: action, declared: false)
        row.count(notOffering.deliveries)
        return row
    }
}

/// "An action that was declared and never tapped has a row": those that have no declared row in any group (decision D12).
private func rowsNeverOffered(
    _ declarations: Declarations,
    _ selection: Selection,
    besides rows: [ActionRow]
) -> [ActionRow] {
    guard selection.campaign == nil, selection.variant == nil, selection.platform == nil else { return [] }
    var missing: [ActionRow] = []
    for version in declarations.categoriesNotRetired {
        if let category = selection.category, version.category != category { continue }
        for action in version.actions {
            let exists = rows.contains { $0.declared && $0.category == version.category && $0.action == action.id }
            if exists { continue }
            missing.append(ActionRow(group: [version.category, nil, nil], action: action.id, declared: true))
        }
    }
    return missing
}

/// The title in the newest version of the category that declares the action; nil if none does (decision D24).
private func title(_ row: ActionRow, _ declarations: Declarations) -> String? {
    guard let category = row.category else { return nil }
    return declarations.versions(of: category).compactMap { $0.action(row.action) }.last?.title
}
