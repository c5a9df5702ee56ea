/// Computes the report `actions` by category, campaign, variant and action (decision D12).
package func actionsReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    clusters byDevice: Bool = false
) -> [ModelRow] {
    let selected = Selected(events, declarations, selection)
    func key(_ placement: Placement) -> [Identifier?] {
        [placement.dimensions.category, placement.dimensions.campaign, placement.dimensions.variant]
    }
    let clusters = byDevice ? DeviceClusters(events, declarations, selection, bases: selected.bases) : nil
    var rows: [ActionRow] = []
    for group in selected.groups(countsDeclaredSends: true, key: key) {
        let own = clusters?.part { key($0.placement) == group.key }
        rows += declaredRows(of: group).map { row in
            var row = row
            let offering = own?.part { $0.placement.offers(row.action) }
            row.designEffect = offering?.designEffect { $0.isActed(row.action) }
            if byDevice {
                row.devices = DeviceCount(of: group.part { $0.offers(row.action) }.inBase)
            }
            return row
        }
        rows += undeclaredRows(of: group)
    }
    rows = rows.map { row in
        var row = row
        row.base = selected.bases[row.group[1]]
        return row
    }
    rows += rowsNeverOffered(declarations, selection, besides: rows).map { row in
        var row = row
        row.base = selected.bases[nil]
        if byDevice {
            row.designEffect = 1
            row.devices = DeviceCount(of: [])
        }
        return row
    }
    rows.sort { left, right in
        if left.key != right.key { return precedes(left.key, right.key) }
        return left.declared && !right.declared
    }
    return rows.map { $0.row(title: title($0, declarations), minN: selection.minN) }
}

/// One row for each action that the version of a delivery or send of the group offers (decision D12).
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

/// "An action that was declared and never tapped has a row", unless a group has a declared row for it (decision D12).
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

/// A row of `actions` while it is being counted.
struct ActionRow {
    /// Category, campaign, variant.
    let group: [Identifier?]
    let action: Identifier
    let declared: Bool
    var offered = 0
    var actedWithinBase = 0
    /// Nil unless devices are clusters, or without a rate; the same of `devices`.
    var designEffect: Double?
    var devices: DeviceCount?
    var base = Base.none
    private var acted = 0
    private var total = 0
    private var seconds: [Double] = []

    init(group: [Identifier?], action: Identifier, declared: Bool) {
        self.group = group
        self.action = action
        self.declared = declared
    }

    var category: Identifier? {
        group[0]
    }

    var key: [Identifier?] {
        group + [action]
    }

    /// Counts the deliveries among these that acted, in the base or not.
    mutating func count(_ deliveries: [SelectedDelivery]) {
        let acting = deliveries.filter { $0.isActed(action) }
        acted = acting.count
        total = acting.map { $0.total(action) }.reduce(0, +)
        seconds = acting.compactMap { $0.secondsToAction(action) }
    }

    /// The nearest-rank median: element ceil(n / 2), counted from 1 (decision D7).
    private var median: Double? {
        seconds.isEmpty ? nil : seconds.sorted()[(seconds.count + 1) / 2 - 1]
    }

    func row(title: String?, minN: Int) -> ModelRow {
        let conversion = Rate("conversion", actedWithinBase, of: offered)
        var row = ModelRow()
        row.append("category_id", ModelValue(group[0]))
        row.append("campaign_id", ModelValue(group[1]))
        row.append("variant", ModelValue(group[2]))
        row.append("action_id", .text(action))
        row.append("title", ModelValue(title.map { Identifier($0) }))
        row.append("declared", .bool(declared))
        row.append("offered_n", .int(offered))
        row.append("acted", .int(acted))
        row.append("total", .int(total))
        row.append(conversion.cells(minN: minN, designEffect: designEffect ?? 1))
        row.append("p50_seconds", median.map { .double($0) } ?? .null)
        row.append("suppressed", .bool(conversion.isSuppressed(minN: minN)))
        row.append("reason", conversion.reason(minN: minN).map { .text($0) } ?? .null)
        row.append("design_effect", ModelValue(designEffect))
        row.append(DeviceCount.cells(devices))
        row.append("base", .text(Identifier(base.rawValue)))
        return row
    }
}
