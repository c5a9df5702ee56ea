/// Computes the report `fatigue` from the events and declarations.
package func fatigueReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    // The deliveries to a device do not depend on the selection, except for `verified`.
    var everything = Selection(app: selection.app, timeZone: selection.timeZone, asOf: selection.asOf)
    everything.verified = selection.verified
    let all = SelectedDelivery.all(events, declarations, everything)
    let arrivals = Dictionary(grouping: all.filter { !$0.isFailed }, by: \.device)
    // Declared sends are excluded, because their devices are unknown (decision D56).
    let selected = Selected(events, declarations, selection, ownSends: true)
    return classes.compactMap { first, last in
        let deliveries = selected.deliveries.filter { delivery in
            let recent = notificationsBefore(delivery, arrivals[delivery.device] ?? [])
            return recent >= first && recent <= last ?? recent
        }
        return deliveries.isEmpty ? nil : row(first, last, deliveries, selected.bases, selection)
    }
}

/// The group for a number of notifications (decision D55).
private let classes: [(Int, Int?)] = [(0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, nil)]

/// The number of deliveries with an anchor in the seven days before this one's, excluding the same moment (decision
/// D55).
private func notificationsBefore(_ delivery: SelectedDelivery, _ arrivals: [SelectedDelivery]) -> Int {
    let week = 7 * 24 * microsecondsPerHour
    return arrivals.filter { $0.anchor < delivery.anchor && $0.anchor >= delivery.anchor - week }.count
}

private func row(
    _ first: Int, _ last: Int?, _ deliveries: [SelectedDelivery], _ bases: Bases, _ selection: Selection
) -> ModelRow {
    let group = Group(key: [], bases: bases, countsDeclaredSends: false, deliveries: deliveries, sends: [])
    let inBase = deliveries.filter { delivery in
        switch bases[delivery.placement.dimensions.campaign] {
        case .sent: delivery.isSent
        case .confirmed: delivery.isConfirmed
        case .none, .mixed: false
        }
    }
    let observable = inBase.filter(\.placement.isDismissObservable)
    let dismissCount = observable.count { !$0.isReplaced }
    let responses = Rate("response_rate", inBase.filter(\.isResponded).count, of: inBase.count)
    let dismissals = Rate("dismiss_rate", observable.filter(\.isDismissed).count, of: dismissCount)
    var row = ModelRow()
    row.append("recent_from", .int(first))
    row.append("recent_to", last.map { .int($0) } ?? .null)
    row.append("base", .text(Identifier(group.base.rawValue)))
    row.append("base_n", .int(inBase.count))
    row.append("responded", .int(deliveries.filter(\.isResponded).count))
    row.append(responses.cells(minN: selection.minN))
    row.append("dismiss_n", .int(dismissCount))
    row.append("dismissed", .int(deliveries.filter(\.isDismissed).count))
    row.append(dismissals.cells(minN: selection.minN))
    let rates = [responses, dismissals]
    row.append("suppressed", .bool(rates.contains { $0.isSuppressed(minN: selection.minN) }))
    let reason = missingRates(rates, base: inBase.count, minN: selection.minN)
    row.append("reason", reason.map { .text($0) } ?? .null)
    return row
}
