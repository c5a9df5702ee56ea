import Foundation

/// The times when the database stored the events, in microseconds since the Unix epoch.
package typealias StoredTimes = [EventIdentity: Int]

/// Computes the sections of the report `health` that follow from events and declarations. Those about rollups, the
/// spool and batches come from the database only.
package func healthReport(
    events: [ModelEvent], stored: StoredTimes, declarations: Declarations, selection: Selection
) -> [ModelRow] {
    let own = Delivery.stored(events.filter { $0.app == selection.app })
    let deliveries = Delivery.all(in: own, of: selection.app).filter { selection.selects(hour: $0.anchorHour) }
    let selected = own.filter { selection.selects(hour: hourStart($0.occurredAt)) }
    let rows = HealthRows(minN: selection.minN)
    return pastLimitRows(selected, rows) + verifiedRows(selected, rows) + delayRows(selected, stored, rows)
        + [negativeRow(deliveries, rows)] + dimensionRows(deliveries, rows) + coverageRows(deliveries, all: own, rows)
        + dayRows(HealthDay.all(deliveries, stored, declarations, selection), selection, rows)
}

/// "It is stored with that dimension unknown, and `health` counts it" (decision D29).
private func pastLimitRows(_ events: [ModelEvent], _ rows: HealthRows) -> [ModelRow] {
    let kinds: [Identifier] = ["action", "app_version", "campaign", "category", "category_version", "variant"]
    return kinds.map { kind in
        let count = events.count { $0.namesPastLimit.contains(kind) }
        return rows.share("past_limit", kind, count, of: events.count, flag: count > 0 ? "past_limit" : nil)
    }
}

private func verifiedRows(_ events: [ModelEvent], _ rows: HealthRows) -> [ModelRow] {
    let ofDeliveries = events.filter { !$0.isAboutDeviceAlone }
    let ofDevices = events.filter(\.isAboutDeviceAlone)
    let responses = ofDeliveries.filter { $0.kind.isResponse }
    return [
        rows.share("verified", "device_events", ofDevices.count(where: \.verified), of: ofDevices.count),
        rows.share("verified", "events", ofDeliveries.count(where: \.verified), of: ofDeliveries.count),
        rows.share("verified", "responses", responses.count(where: \.verified), of: responses.count),
    ]
}

/// The delay between the occurrence and the storage of each event.
private func delayRows(_ events: [ModelEvent], _ stored: StoredTimes, _ rows: HealthRows) -> [ModelRow] {
    let delays = events.compactMap { event in
        stored[EventIdentity(event)].map {
            coarse(seconds: roundedDown($0 - event.occurredAt, to: 1_000_000) / 1_000_000)
        }
    }.sorted()
    let ranks: [(Identifier, Double)] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]
    let quantiles = ranks.map { name, share in
        rows.quantity("delay", name, nearestRank(share, delays).map(Double.init), "seconds", n: delays.count)
    }
    let limits: [(Identifier, Int)] = [("over_1h", 3_600), ("over_24h", 86_400), ("over_72h", 259_200)]
    let late = limits.map { name, limit in
        let count = delays.count { $0 >= limit }
        // Later than the default response window: reports had counted those deliveries as unanswered.
        let isFlagged = name == "over_72h" && count * 20 > delays.count
        return rows.share("delay", name, count, of: delays.count, flag: isFlagged ? "late" : nil)
    }
    return late + quantiles
}

/// Rounds down to 10 seconds from two minutes on, to 10 minutes from an hour on, and to hours from a day on.
private func coarse(seconds: Int) -> Int {
    switch seconds {
    case -120..<120: seconds
    case -3_600..<3_600: roundedDown(seconds, to: 10)
    case -86_400..<86_400: roundedDown(seconds, to: 600)
    default: roundedDown(seconds, to: 3_600)
    }
}

private func roundedDown(_ number: Int, to unit: Int) -> Int {
    let rest = number % unit
    return rest < 0 ? number - rest - unit : number - rest
}

private func nearestRank(_ share: Double, _ sorted: [Int]) -> Int? {
    sorted.isEmpty ? nil : sorted[max(1, Int((share * Double(sorted.count)).rounded(.up))) - 1]
}

/// "First response minus confirmation, else minus sent, else left out; a negative one counts as 0 and is counted
/// apart."
private func negativeRow(_ deliveries: [Delivery], _ rows: HealthRows) -> ModelRow {
    let times = deliveries.compactMap { delivery -> Int? in
        func first(_ kinds: (ModelKind) -> Bool) -> Int? {
            delivery.events.filter { kinds($0.kind) }.map(\.occurredAt).min()
        }
        guard let start = first({ $0 == .delivered }) ?? first({ $0 == .sent }) else { return nil }
        return first(\.isResponse).map { $0 - start }
    }
    let negative = times.count { $0 < 0 }
    let isFlagged = negative * 100 > times.count
    return rows.share(
        "response_time", "negative", negative, of: times.count, flag: isFlagged ? "before_delivery" : nil)
}

extension ModelKind {
    /// "Opened, acted, replied or dismissed".
    var isResponse: Bool {
        self == .opened || isAct || self == .dismissed
    }
}

/// Builds the rows of `health` with all columns.
struct HealthRows {
    let minN: Int

    /// A row with a share of `n` and its interval; the share is suppressed if `n` is below the floor.
    func share(
        _ section: String, _ item: Identifier?, platform: Identifier? = nil, _ count: Int, of n: Int,
        flag: String? = nil
    ) -> ModelRow {
        let rate = Rate("value", count, of: n)
        return row(
            section, item, platform, counted: count, rate.cells(minN: minN), unit: "ratio", n: n, at: nil, flag: flag,
            isSuppressed: rate.isSuppressed(minN: minN))
    }

    func quantity(
        _ section: String, _ item: Identifier?, _ value: Double?, _ unit: Identifier, n: Int, at: Int? = nil,
        flag: String? = nil
    ) -> ModelRow {
        let cells = [
            ModelRow.Cell(name: "value", value: value.map { .double($0) } ?? .null),
            ModelRow.Cell(name: "value_low", value: .null), ModelRow.Cell(name: "value_high", value: .null),
        ]
        return row(
            section, item, nil, counted: nil, cells, unit: unit, n: n, at: at, flag: flag, isSuppressed: false)
    }

    private func row(
        _ section: String, _ item: Identifier?, _ platform: Identifier?, counted: Int?, _ value: [ModelRow.Cell],
        unit: Identifier, n: Int, at: Int?, flag: String?, isSuppressed: Bool
    ) -> ModelRow {
        var row = ModelRow()
        row.append("section", .text(Identifier(section)))
        row.append("item", ModelValue(item))
        row.append("platform", ModelValue(platform))
        row.append("counted", counted.map { .int($0) } ?? .null)
        row.append(value)
        row.append("unit", .text(unit))
        row.append("n", .int(n))
        row.append("at", at.map { .int($0) } ?? .null)
        row.append("flag", flag.map { .text(Identifier($0)) } ?? .null)
        row.append("suppressed", .bool(isSuppressed))
        return row
    }
}

/// A local day of anchors and when it becomes final.
///
/// "A day is final once every delivery in it is closed and seven days went by without a new event for it."
struct HealthDay {
    let day: Identifier
    let deliveries: Int
    let open: Int
    /// The time when its last delivery has closed and seven days went by after the hour in which its last event was stored.
    let finalAt: Int

    /// Oldest first.
    static func all(
        _ deliveries: [Delivery], _ stored: StoredTimes, _ declarations: Declarations, _ selection: Selection
    ) -> [HealthDay] {
        let days = Dictionary(grouping: deliveries) { localDay(ofHour: $0.anchorHour, in: selection.timeZone) }
        return days.sorted { $0.key < $1.key }.map { day, deliveries in
            let closing = deliveries.map { delivery -> Int in
                let campaign = delivery.dimensions.campaign
                let last = declarations.declaredSends(of: campaign).map { hourStart($0.sentAt) }.max()
                let window = declarations.campaign(campaign)?.windowSeconds ?? Campaign.defaultWindowSeconds
                return (last ?? delivery.anchorHour) + microsecondsPerHour + window * 1_000_000
            }
            let news = deliveries.flatMap(\.events).compactMap { stored[EventIdentity($0)] }.max() ?? 0
            let week = 7 * 24 * microsecondsPerHour + microsecondsPerHour
            return HealthDay(
                day: day, deliveries: deliveries.count, open: closing.count { $0 > selection.asOf },
                finalAt: max(closing.max() ?? 0, hourStart(news) + week))
        }
    }
}

func dayRows(_ days: [HealthDay], _ selection: Selection, _ rows: HealthRows) -> [ModelRow] {
    let final = days.prefix { $0.finalAt <= selection.asOf }
    let through = rows.quantity(
        "final", final.last?.day, Double(final.count), "days", n: days.count, at: final.map(\.finalAt).max())
    return [through]
        + days.map { day in
            let flag = day.open > 0 ? "open" : day.finalAt > selection.asOf ? "settling" : nil
            return rows.quantity(
                "day", day.day, Double(day.open), "deliveries", n: day.deliveries, at: day.finalAt, flag: flag)
        }
}
