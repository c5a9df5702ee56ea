/// Computes the share of confirmed sends by the app version on the device at the time of the send.
///
/// The version is the one that the delivery's sends state, verified ones first, otherwise the version that the device
/// stated last before the send. The confirmation's version is not used, because it exists only for confirmed
/// deliveries.
func coverageRows(_ deliveries: [Delivery], all events: [ModelEvent], _ rows: HealthRows) -> [ModelRow] {
    coverageRows("coverage_app_version", deliveries, events, \.appVersion, rows)
        + coverageRows("coverage_os_version", deliveries, events, \.osVersion, rows)
}

private func coverageRows(
    _ section: String, _ deliveries: [Delivery], _ events: [ModelEvent], _ version: (ModelEvent) -> Identifier?,
    _ rows: HealthRows
) -> [ModelRow] {
    let eventsByDevice = Dictionary(grouping: events, by: \.deviceID)
    var cells: [[Identifier?]: Coverage] = [:]
    for delivery in deliveries {
        let sends = delivery.events.filter { $0.kind == .sent }
        guard let sentAt = sends.map(\.occurredAt).min(), let device = sends.first?.deviceID else { continue }
        let stated = sends.filter(\.verified).compactMap(version).min() ?? sends.compactMap(version).min()
        let key = [
            delivery.dimensions.platform, stated ?? onDevice(eventsByDevice[device] ?? [], before: sentAt, version),
        ]
        cells[key, default: Coverage()].sent += 1
        if delivery.events.contains(where: { $0.kind == .delivered }) { cells[key, default: Coverage()].confirmed += 1 }
    }
    return cells.sorted { precedes($0.key, $1.key) }.map { key, coverage in
        let others = cells.filter { $0.key[0] == key[0] && $0.key[1] != nil && $0.key[1] != key[1] }.values
        let rest = others.reduce(into: Coverage()) { $0.add($1) }
        let isLow = key[1] != nil && coverage.isBelow(rest, minN: rows.minN)
        return rows.share(
            section, key[1], platform: key[0], coverage.confirmed, of: coverage.sent, flag: isLow ? "low" : nil)
    }
}

/// The version that was stated last before a time; the smallest if several were stated at that moment.
private func onDevice(
    _ events: [ModelEvent], before time: Int, _ version: (ModelEvent) -> Identifier?
) -> Identifier? {
    let stated = events.filter { $0.occurredAt < time && version($0) != nil }
    let last = stated.map(\.occurredAt).max()
    return stated.filter { $0.occurredAt == last }.compactMap(version).min()
}

private struct Coverage {
    var sent = 0
    var confirmed = 0

    mutating func add(_ other: Coverage) {
        sent += other.sent
        confirmed += other.confirmed
    }

    /// Whether both are large enough, their intervals do not overlap, and the shares differ by five points.
    func isBelow(_ rest: Coverage, minN: Int) -> Bool {
        guard sent >= max(minN, 1), rest.sent >= max(minN, 1) else { return false }
        let areFivePointsApart = (rest.confirmed * sent - confirmed * rest.sent) * 20 >= sent * rest.sent
        return areFivePointsApart && Wilson(confirmed, of: sent).high < Wilson(rest.confirmed, of: rest.sent).low
    }
}
