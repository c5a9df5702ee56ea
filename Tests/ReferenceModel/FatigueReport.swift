/// The report `fatigue`, recomputed from nothing but the events and what was declared.
package func fatigueReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    // What a device had does not depend on what is asked for, but for `verified`.
    var everything = Selection(app: selection.app, timeZone: selection.timeZone, asOf: selection.asOf)
    everything.verified = selection.verified
    let all = SelectedDelivery.all(events, declarations, everything)
    let arrivals = Dictionary(grouping: all.filter { !$0.isFailed }, by: \.device)
    let selected = SelectedDelivery.all(events, declarations, selection)
    let base = base(selection.base, selected)
    return classes.compactMap { first, last in
        let deliveries = selected.filter { delivery in
            let recent = notificationsBefore(delivery, arrivals[delivery.device] ?? [])
            return recent >= first && recent <= last ?? recent
        }
        return deliveries.isEmpty ? nil : row(first, last, deliveries, base, selection)
    }
}

/// Numbers of notifications: none, few, and so on (decision D55).
private let classes: [(Int, Int?)] = [(0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, nil)]

/// Those whose anchor lies in the seven days before this one's; at the same moment is not before (decision D55).
private func notificationsBefore(_ delivery: SelectedDelivery, _ arrivals: [SelectedDelivery]) -> Int {
    let week = 7 * 24 * microsecondsPerHour
    return arrivals.filter { $0.anchor < delivery.anchor && $0.anchor >= delivery.anchor - week }.count
}

/// Declared sends take no part: to whom they went nobody knows (decision D56).
private func base(_ base: BaseChoice, _ deliveries: [SelectedDelivery]) -> Base {
    switch base {
    case .sent: .sent
    case .confirmed: .confirmed
    case .auto where deliveries.contains(where: \.isSent): .sent
    case .auto: deliveries.contains(where: \.isConfirmed) ? .confirmed : .none
    }
}

private func row(
    _ first: Int, _ last: Int?, _ deliveries: [SelectedDelivery], _ base: Base, _ selection: Selection
) -> ModelRow {
    let inBase = deliveries.filter { delivery in
        switch base {
        case .sent: delivery.isSent
        case .confirmed: delivery.isConfirmed
        case .none: false
        }
    }
    let observable = inBase.filter(\.placement.isDismissObservable)
    let dismissCount = observable.count { !$0.isReplaced }
    let responses = Rate("response_rate", inBase.filter(\.isResponded).count, of: inBase.count)
    let dismissals = Rate("dismiss_rate", observable.filter(\.isDismissed).count, of: dismissCount)
    var row = ModelRow()
    row.append("recent_from", .int(first))
    row.append("recent_to", last.map { .int($0) } ?? .null)
    row.append("base", .text(Identifier(base.rawValue)))
    row.append("base_n", .int(inBase.count))
    row.append("responded", .int(deliveries.filter(\.isResponded).count))
    row.append(responses.cells(minN: selection.minN))
    row.append("dismiss_n", .int(dismissCount))
    row.append("dismissed", .int(deliveries.filter(\.isDismissed).count))
    row.append(dismissals.cells(minN: selection.minN))
    let isSuppressed = [responses, dismissals].contains { $0.isSuppressed(minN: selection.minN) }
    row.append("suppressed", .bool(isSuppressed))
    return row
}
