import Foundation

/// What the database adds to the events of a model: when each was stored, in microseconds since the Unix epoch.
package typealias StoredTimes = [EventIdentity: Int]

/// The sections of the report `health` that follow from events and declarations; rollups, the spool, and what batches
/// count are the database's own.
package func healthReport(
    events: [ModelEvent], stored: StoredTimes, declarations: Declarations, selection: Selection
) -> [ModelRow] {
    let own = Delivery.stored(events.filter { $0.app == selection.app })
    let deliveries = Delivery.all(in: own, of: selection.app).filter { selection.selects(hour: $0.anchorHour) }
    let selected = own.filter { selection.selects(hour: hourStart($0.occurredAt)) }
    let rows = HealthRows(minN: selection.minN)
    return verifiedRows(selected, rows) + delayRows(selected, stored, rows) + [negativeRow(deliveries, rows)]
        + dimensionRows(deliveries, rows) + coverageRows(deliveries, all: own, rows)
        + dayRows(HealthDay.all(deliveries, stored, declarations, selection), selection, rows)
}

private func verifiedRows(_ events: [ModelEvent], _ rows: HealthRows) -> [ModelRow] {
    let ofDeliveries = events.filter { !$0.kind.isAboutDeviceAlone }
    let responses = ofDeliveries.filter { $0.kind.isResponse }
    return [
        rows.share("verified", "events", ofDeliveries.count(where: \.verified), of: ofDeliveries.count),
        rows.share("verified", "responses", responses.count(where: \.verified), of: responses.count),
    ]
}

/// How long after it happened each event was stored.
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
        // Later than the default window of a response: reports counted those as unanswered.
        let isFlagged = name == "over_72h" && count * 20 > delays.count
        return rows.share("delay", name, count, of: delays.count, flag: isFlagged ? "late" : nil)
    }
    return late + quantiles
}

/// Over an hour in minutes, over a day in hours; all rounded down.
private func coarse(seconds: Int) -> Int {
    switch seconds {
    case -3_600..<3_600: seconds
    case ..<86_400: roundedDown(seconds, to: 60)
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

/// "First response minus confirmation, else minus sent, else left out; a negative one counts as 0 and is counted apart."
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
