/// The report `influence`, recomputed from nothing but the events and what was declared.
///
/// - Parameters:
///   - window: how long before an opening a notification may have influenced it, in seconds.
///   - baseline: whether the columns `expected` and `influenced_net` are there.
package func influenceReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    window: Int = 12 * 3600,
    baseline: Bool = false
) -> [ModelRow] {
    let history = History(events, declarations, selection)
    var groups: [[Identifier?]: InfluenceCounts] = [:]
    for opening in Opening.all(in: events, selection) {
        let length = window * 1_000_000
        let response = history.latestResponse(on: opening.device, in: opening.at - 60_000_000...opening.at)
        let influence = history.latestUnopened(on: opening.device, in: opening.at - length...opening.at)
        let cause = response ?? influence
        if selection.selects(crediting: cause) {
            let key = opening.key(crediting: cause, selection)
            groups[key, default: InfluenceCounts()].count(isDirect: response != nil, isInfluenced: influence != nil)
        }
        guard baseline, response == nil else { continue }
        // The same hours some whole days on: what came then can't have caused the opening (decision D59).
        let day = 24 * microsecondsPerHour
        let later = opening.at + max(1, (length + day - 1) / day) * day
        let chance = history.latestUnopened(on: opening.device, in: later - length...later)
        if let chance, selection.selects(crediting: chance) {
            groups[opening.key(crediting: chance, selection), default: InfluenceCounts()].expected += 1
        }
    }
    if selection.by.isEmpty, groups.isEmpty { groups[[]] = InfluenceCounts() }
    return groups.sorted { precedes($0.key, $1.key) }.map { $0.value.row($0.key, selection, baseline: baseline) }
}

/// A row of `influence`.
private struct InfluenceCounts {
    var direct = 0
    var influenced = 0
    var other = 0
    var expected = 0

    /// "Direct if..., influenced if..., else other."
    mutating func count(isDirect: Bool, isInfluenced: Bool) {
        if isDirect {
            direct += 1
        } else if isInfluenced {
            influenced += 1
        } else {
            other += 1
        }
    }

    func row(_ key: [Identifier?], _ selection: Selection, baseline: Bool) -> ModelRow {
        var row = ModelRow()
        for (grouping, value) in zip(selection.by, key) {
            row.append(grouping.column, ModelValue(value))
        }
        row.append("app_opened", .int(direct + influenced + other))
        row.append("direct", .int(direct))
        row.append("influenced", .int(influenced))
        row.append("other", .int(other))
        if baseline {
            row.append("expected", .int(expected))
            row.append("influenced_net", .int(influenced - expected))
        }
        return row
    }
}

/// What devices were sent and how they responded.
private struct History {
    private let deliveries: [Identifier: [SelectedDelivery]]

    init(_ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection) {
        // Whatever was sent whenever may have caused an opening that is selected.
        var everything = Selection(app: selection.app, timeZone: selection.timeZone, asOf: selection.asOf)
        everything.verified = selection.verified
        deliveries = Dictionary(grouping: SelectedDelivery.all(events, declarations, everything), by: \.device)
    }

    /// Of several, the latest; of those, the first by notification (decision D58).
    func latestResponse(on device: Identifier, in times: ClosedRange<Int>) -> SelectedDelivery? {
        latest(on: device) { $0.responseTimes.filter(times.contains).max() }
    }

    /// "A confirmed and unopened delivery to that device lies within the window": by its confirmation (decision D57).
    func latestUnopened(on device: Identifier, in times: ClosedRange<Int>) -> SelectedDelivery? {
        latest(on: device) { delivery in
            guard !delivery.isOpened, let at = delivery.confirmedAt, times.contains(at) else { return nil }
            return at
        }
    }

    private func latest(on device: Identifier, _ time: (SelectedDelivery) -> Int?) -> SelectedDelivery? {
        let timed = (deliveries[device] ?? []).compactMap { delivery in time(delivery).map { (delivery, $0) } }
        let latest = timed.map(\.1).max()
        let candidates = timed.filter { $0.1 == latest }.map(\.0)
        return candidates.min { precedes([$0.notification], [$1.notification]) }
    }
}
