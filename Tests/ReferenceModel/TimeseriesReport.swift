import Foundation

/// Computes the report `timeseries` (decision D42).
package func timeseriesReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    let byHour = selection.by.contains(.hour)
    var counts: [Int: [ModelKind: Int]] = [:]
    // Whether each event about a device alone is verified.
    var aboutDevices: [Int: [Bool]] = [:]
    for event in counted(events, selection) {
        let hour = hourStart(event.occurredAt)
        let time = byHour ? hour : localDayStart(ofHour: hour, in: selection.timeZone)
        counts[time, default: [:]][event.kind, default: 0] += 1
        if event.kind.isAboutDeviceAlone { aboutDevices[time, default: []].append(event.verified) }
    }
    return counts.keys.sorted().map { time in
        var row = ModelRow()
        row.append("time", .text(secondText(time)))
        for kind in ModelKind.allCases {
            row.append(kind.rawValue, .int(counts[time]?[kind] ?? 0))
        }
        let verified = aboutDevices[time] ?? []
        let share = Double(verified.count { $0 }) / Double(verified.count)
        row.append("verified_share", verified.isEmpty ? .null : .double(share))
        return row
    }
}

/// Events of deliveries have their delivery's dimensions; events about the device only have the platform that they
/// state.
private func counted(_ events: [ModelEvent], _ selection: Selection) -> [ModelEvent] {
    var found: [ModelEvent] = []
    for delivery in Delivery.all(in: events, of: selection.app, heldOut: true) {
        let dimensions = selection.verified ? delivery.verifiedDimensions : delivery.dimensions
        if selection.selects(dimensions) { found += delivery.events }
    }
    for event in Delivery.stored(events) where event.app == selection.app && event.isAboutDeviceAlone {
        var dimensions = Dimensions()
        dimensions.platform = event.platform
        if selection.selects(dimensions) { found.append(event) }
    }
    return found.filter { event in
        selection.selects(hour: hourStart(event.occurredAt)) && (event.verified || !selection.verified)
    }
}
