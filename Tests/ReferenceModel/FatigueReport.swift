import Foundation

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
    let beginnings = Dictionary(grouping: all, by: \.device).compactMapValues { $0.map(\.anchor).min() }
    // "Leaves out a device's first seven days" (decision D84).
    let known = selected.deliveries.filter { $0.anchor - week >= beginnings[$0.device] ?? .max }
    let counted = known.map { ($0, notificationsBefore($0, arrivals[$0.device] ?? [])) }
    return classes.compactMap { first, last in
        let deliveries = counted.filter { $0.1 >= first && $0.1 <= last ?? $0.1 }.map(\.0)
        let fewer = counted.filter { $0.1 < first }.map(\.0)
        return deliveries.isEmpty ? nil : row(first, last, deliveries, fewer, selected.bases, selection)
    }
}

private let week = 7 * 24 * microsecondsPerHour

/// The group for a number of notifications (decision D55).
private let classes: [(Int, Int?)] = [(0, 0), (1, 1), (2, 2), (3, 4), (5, 9), (10, 19), (20, nil)]

/// The number of deliveries with an anchor in the seven days before this one's, excluding the same moment (decision
/// D55).
private func notificationsBefore(_ delivery: SelectedDelivery, _ arrivals: [SelectedDelivery]) -> Int {
    arrivals.filter { $0.anchor < delivery.anchor && $0.anchor >= delivery.anchor - week }.count
}

private func row(
    _ first: Int, _ last: Int?, _ deliveries: [SelectedDelivery], _ fewer: [SelectedDelivery], _ bases: Bases,
    _ selection: Selection
) -> ModelRow {
    func based(_ deliveries: [SelectedDelivery]) -> [SelectedDelivery] {
        deliveries.filter { delivery in
            switch bases[delivery.placement.dimensions.campaign] {
            case .sent: delivery.isSent
            case .confirmed: delivery.isConfirmed
            case .none, .mixed: false
            }
        }
    }
    func observable(_ deliveries: [SelectedDelivery]) -> [SelectedDelivery] {
        deliveries.filter { $0.placement.isDismissObservable && !$0.isReplaced }
    }
    let group = Group(key: [], bases: bases, countsDeclaredSends: false, deliveries: deliveries, sends: [])
    let (inBase, fewerInBase) = (based(deliveries), based(fewer))
    let responses = Rate("response_rate", inBase.filter(\.isResponded).count, of: inBase.count)
    let dismissable = observable(inBase)
    let dismissals = Rate("dismiss_rate", dismissable.filter(\.isDismissed).count, of: dismissable.count)
    let responseChange = WithinDevices(inBase, fewerInBase, \.isResponded)
    var row = ModelRow()
    row.append("recent_from", .int(first))
    row.append("recent_to", last.map { .int($0) } ?? .null)
    row.append("base", .text(Identifier(group.base.rawValue)))
    row.append("base_n", .int(inBase.count))
    row.append("responded", .int(deliveries.filter(\.isResponded).count))
    row.append(responses.cells(minN: selection.minN))
    responseChange.append("response_change", to: &row, minN: selection.minN)
    row.append("compared_devices", .int(responseChange.devices.count))
    row.append("compared_n", .int(responseChange.comparedCount))
    row.append("fewer_n", .int(responseChange.fewerCount))
    row.append("dismiss_n", .int(dismissable.count))
    row.append("dismissed", .int(deliveries.filter(\.isDismissed).count))
    row.append(dismissals.cells(minN: selection.minN))
    WithinDevices(dismissable, observable(fewerInBase), \.isDismissed)
        .append("dismiss_change", to: &row, minN: selection.minN)
    let rates = [responses, dismissals]
    row.append("suppressed", .bool(rates.contains { $0.isSuppressed(minN: selection.minN) }))
    let reason = missingRates(rates, base: inBase.count, minN: selection.minN)
    row.append("reason", reason.map { .text($0) } ?? .null)
    return row
}

/// "Compares within devices": a rate of the devices that have deliveries both in a row and with fewer notifications
/// before (decision D85).
private struct WithinDevices {
    /// The deliveries of a device in the row (1) and with fewer notifications (0), and those of them in the state.
    struct Device {
        let n1, k1, n0, k0: Double

        var weight: Double { n1 * n0 / (n1 + n0) }
        var difference: Double { k1 / n1 - k0 / n0 }
    }

    let devices: [Device]

    init(
        _ row: [SelectedDelivery], _ fewer: [SelectedDelivery], _ state: (SelectedDelivery) -> Bool
    ) {
        let others = Dictionary(grouping: fewer, by: \.device)
        devices = Dictionary(grouping: row, by: \.device).compactMap { device, own in
            guard let other = others[device] else { return nil }
            return Device(
                n1: Double(own.count), k1: Double(own.filter(state).count), n0: Double(other.count),
                k0: Double(other.filter(state).count))
        }
    }

    var comparedCount: Int { Int(devices.map(\.n1).reduce(0, +)) }
    var fewerCount: Int { Int(devices.map(\.n0).reduce(0, +)) }

    func append(_ name: String, to row: inout ModelRow, minN: Int) {
        let isCompared = min(comparedCount, fewerCount) >= max(minN, 1)
        row.append(name, isCompared ? .double(change) : .null)
        let margin = isCompared ? margin : nil
        row.append("\(name)_low", ModelValue(margin.map { max(change - $0, -1) }))
        row.append("\(name)_high", ModelValue(margin.map { min(change + $0, 1) }))
    }

    private var weight: Double { devices.map(\.weight).reduce(0, +) }

    private var change: Double { devices.map { $0.weight * $0.difference }.reduce(0, +) / weight }

    /// Half the width of the interval, with devices as clusters, and never less than for independent deliveries with one
    /// rate.
    private var margin: Double? {
        guard devices.count > 1 else { return nil }
        let count = Double(devices.count)
        let squares = devices.map { pow($0.weight * ($0.difference - change), 2) }.reduce(0, +)
        let rate = (devices.map { $0.k1 + $0.k0 }.reduce(0, +) + 1) / (devices.map { $0.n1 + $0.n0 }.reduce(0, +) + 2)
        let variance = max(count / (count - 1) * squares / pow(weight, 2), rate * (1 - rate) / weight)
        return studentQuantile(degrees: count - 1) * variance.squareRoot()
    }
}
