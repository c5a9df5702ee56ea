import Foundation

/// Computes the report `heatmap` (decision D44).
///
/// - Parameter byDevice: whether hours are those of the devices' clocks.
package func heatmapReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    byDevice: Bool = false
) -> [ModelRow] {
    if byDevice { return deviceHeatmap(events, declarations, selection) }
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
    return rows(groups, selection)
}

private func rows(
    _ groups: [Group], _ selection: Selection, verifiedShares: [[Identifier?]: Double] = [:]
) -> [ModelRow] {
    groups.map { group in
        let base = group.baseCount()
        var row = ModelRow()
        row.append("weekday", group.key[0].flatMap { Int($0.text) }.map { .int($0) } ?? .null)
        row.append("hour", group.key[1].flatMap { Int($0.text) }.map { .int($0) } ?? .null)
        row.append("base_n", .int(base))
        row.append("responded", .int(group.count(\.isResponded)))
        let rate = Rate("response_rate", group.numerator(\.isResponded), of: base)
        row.append(rate.cells(minN: selection.minN))
        row.append("suppressed", .bool(rate.isSuppressed(minN: selection.minN)))
        row.append("reason", rate.reason(minN: selection.minN).map { .text($0) } ?? .null)
        row.append("base", .text(Identifier(group.base.rawValue)))
        row.append("verified_share", ModelValue(verifiedShares[group.key]))
        return row
    }
}

/// "`local=device`, by the stored offset" (decision D86).
private func deviceHeatmap(
    _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection
) -> [ModelRow] {
    let stated = Dictionary(
        grouping: Delivery.stored(events).filter { event in
            event.app == selection.app && event.utcOffset != nil && (event.verified || !selection.verified)
        }, by: \.deviceID)
    let selected = Selected(events, declarations, selection, byTime: true)
    var groups: [[Identifier?]: Group] = [:]
    var verified: [[Identifier?]: Int] = [:]
    for delivery in selected.deliveries {
        var key: [Identifier?] = [nil, nil]
        let offset = offset(of: stated[delivery.device] ?? [], at: delivery.placement.hour)
        if let offset {
            let minutes = delivery.placement.hour / 60_000_000 + offset.minutes
            // The epoch was a Thursday.
            let weekday = (minutes / 1440 + 3) % 7 + 1
            let hour = minutes % 1440 / 60
            key = [Identifier("\(weekday)"), Identifier(hour < 10 ? "0\(hour)" : "\(hour)")]
        }
        var group =
            groups[key]
            ?? Group(key: key, bases: selected.bases, countsDeclaredSends: false, deliveries: [], sends: [])
        group.deliveries.append(delivery)
        groups[key] = group
        if let offset { verified[key, default: 0] += offset.isVerified ? 1 : 0 }
    }
    // "Reports that read them say what share of them is verified": here, of the deliveries' offsets.
    let shares = verified.mapValues(Double.init).reduce(into: [[Identifier?]: Double]()) { shares, one in
        shares[one.key] = one.value / Double(groups[one.key]?.deliveries.count ?? 1)
    }
    return rows(groups.values.sorted { precedes($0.key, $1.key) }, selection, verifiedShares: shares)
}

/// The offset of a device in an hour: the last that it stated before the end of the hour, else the first after it, of
/// verified events first.
private func offset(of stated: [ModelEvent], at hour: Int) -> (minutes: Int, isVerified: Bool)? {
    let end = hour + microsecondsPerHour
    let month = 30 * 24 * microsecondsPerHour
    for verified in [true, false] {
        let own = stated.filter { $0.verified == verified && abs($0.occurredAt - end) <= month }
        let last = own.map(\.occurredAt).filter { $0 < end }.max()
        guard let time = last ?? own.map(\.occurredAt).min() else { continue }
        return own.filter { $0.occurredAt == time }.compactMap(\.utcOffset).min().map { ($0, verified) }
    }
    return nil
}
