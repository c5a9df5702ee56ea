/// A local day of anchors: when it is final.
///
/// "A day is final once every delivery in it is closed and seven days went by without a new event for it."
struct HealthDay {
    let day: Identifier
    let deliveries: Int
    let open: Int
    /// When its last delivery closed or will close, and seven days have gone by since its last event was stored.
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
            let week = 7 * 24 * microsecondsPerHour
            return HealthDay(
                day: day, deliveries: deliveries.count, open: closing.count { $0 > selection.asOf },
                finalAt: max(closing.max() ?? 0, news + week))
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
