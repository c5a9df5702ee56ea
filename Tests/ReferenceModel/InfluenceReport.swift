/// Computes the report `influence` from the events and declarations.
///
/// - Parameters:
///   - window: the time before an opening in which a notification can influence it, in seconds.
///   - baseline: whether to add the columns `expected` and `influenced_net`.
package func influenceReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    window: Int = 12 * 3600,
    baseline: Bool = false
) -> [ModelRow] {
    let history = History(events, declarations, selection)
    var groups: [[Identifier?]: InfluenceCounts] = [:]
    let length = window * 1_000_000
    for opening in Opening.all(in: events, selection) {
        let response = history.latestResponse(on: opening.device, in: opening.at - 60_000_000...opening.at)
        let influence = history.latestUnopened(on: opening.device, in: opening.at - length...opening.at)
        let cause = response ?? influence
        if selection.selects(crediting: cause) {
            let key = opening.key(crediting: cause, selection)
            groups[key, default: InfluenceCounts()].count(
                opening, isDirect: response != nil, isInfluenced: influence != nil)
        }
    }
    // An opening is moved to the same time some whole days later, and counts there (metrics.md, version 2). It can't
    // have been caused by notifications that came after it (decision D59).
    let day = 24 * microsecondsPerHour
    for opening in baseline ? Opening.all(in: events, selection, movedBy: max(1, (length + day - 1) / day) * day) : [] {
        let actual = opening.at - opening.moved
        guard opening.at < selection.asOf else { continue }
        guard history.latestResponse(on: opening.device, in: actual - 60_000_000...actual) == nil else { continue }
        let chance = history.latestUnopened(on: opening.device, in: opening.at - length...opening.at)
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
    var verified = 0

    /// "Direct if..., influenced if..., else other."
    mutating func count(_ opening: Opening, isDirect: Bool, isInfluenced: Bool) {
        if opening.isVerified { verified += 1 }
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
        let openings = direct + influenced + other
        row.append("verified_share", openings == 0 ? .null : .double(Double(verified) / Double(openings)))
        return row
    }
}

/// The notifications sent to devices and the responses to them.
private struct History {
    private let deliveries: [Identifier: [SelectedDelivery]]

    init(_ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection) {
        // Notifications outside the selection may have caused a selected opening.
        var everything = Selection(app: selection.app, timeZone: selection.timeZone, asOf: selection.asOf)
        everything.verified = selection.verified
        // An opened notification opens the app, whatever the provider says of it.
        let all = SelectedDelivery.all(events, declarations, everything, heldOut: true)
        deliveries = Dictionary(grouping: all, by: \.device)
    }

    /// The latest delivery; if there are several, the first by notification (decision D58).
    func latestResponse(on device: Identifier, in times: ClosedRange<Int>) -> SelectedDelivery? {
        latest(on: device) { $0.openingTimes.filter(times.contains).max() }
    }

    /// "A confirmed and unopened delivery to that device lies within the window": by its confirmation (decision D57), and
    /// unopened "at the time of the app opening", the end of the window.
    func latestUnopened(on device: Identifier, in times: ClosedRange<Int>) -> SelectedDelivery? {
        latest(on: device) { delivery in
            guard !delivery.isHeldOut, let at = delivery.confirmedAt, times.contains(at) else { return nil }
            let opened = delivery.events.filter { $0.kind == .opened }.map(\.occurredAt).min()
            if let opened, opened <= times.upperBound { return nil }
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

/// An `app_opened` that a report selects.
struct Opening {
    let device: Identifier
    /// Microseconds since the Unix epoch.
    let at: Int
    let isVerified: Bool
    /// How far it was moved from the time of its event, in microseconds.
    let moved: Int
    private let platform: Identifier?
    private let appVersion: Identifier?

    private init(_ event: ModelEvent, movedBy moved: Int) {
        device = event.deviceID
        at = event.occurredAt + moved
        self.moved = moved
        isVerified = event.verified
        platform = event.platform
        appVersion = event.appVersion
    }

    /// Openings are selected by their own hour and platform (decision D58).
    static func all(in events: [ModelEvent], _ selection: Selection, movedBy moved: Int = 0) -> [Opening] {
        return Delivery.stored(events).filter { event in
            guard event.app == selection.app else { return false }
            guard event.kind == .app_opened, selection.selects(hour: hourStart(event.occurredAt + moved)) else {
                return false
            }
            if let platform = selection.platform, event.platform != platform { return false }
            return !selection.verified || event.verified
        }.map { Opening($0, movedBy: moved) }
    }

    /// The group: campaign, category and variant are those of the credited notification (decision D58).
    func key(crediting cause: SelectedDelivery?, _ selection: Selection) -> [Identifier?] {
        let dimensions = cause?.placement.dimensions
        return selection.by.map { grouping in
            switch grouping {
            case .campaign: dimensions?.campaign
            case .category: dimensions?.category
            case .variant: dimensions?.variant
            case .platform: platform
            case .day: localDay(ofHour: hourStart(at), in: selection.timeZone)
            case .hour: hourText(hourStart(at))
            case .app_version: appVersion
            }
        }
    }
}

extension Selection {
    /// Applies the filters by campaign, category and variant to the notification that an opening is credited to.
    func selects(crediting cause: SelectedDelivery?) -> Bool {
        let dimensions = cause?.placement.dimensions
        if let campaign, dimensions?.campaign != campaign { return false }
        if let category, dimensions?.category != category { return false }
        if let variant, dimensions?.variant != variant { return false }
        return true
    }
}
