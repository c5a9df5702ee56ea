/// Everything that a report counts and the bases of its rates.
struct Selected {
    let deliveries: [SelectedDelivery]
    let sends: [SelectedSend]
    let bases: Bases

    /// - Parameters:
    ///   - byTime: whether rows are days or hours, where declared sends are no base.
    ///   - ownSends: whether declared sends are left out.
    init(
        _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection, byTime: Bool = false,
        ownSends: Bool = false
    ) {
        deliveries = SelectedDelivery.all(events, declarations, selection)
        sends = declarations.sends.compactMap {
            SelectedSend($0, declarations: declarations, selection: selection)
        }
        if selection.within == nil {
            bases = Bases(selection.base, deliveries, sends, byTime: byTime, ownSends: ownSends)
        } else {
            // Chosen from the whole selection, of whatever age (decision D76).
            bases = Selected(events, declarations, selection.ofAnyAge, byTime: byTime, ownSends: ownSends).bases
        }
    }

    /// The groups with at least one delivery or send, in byte order of their keys, nulls last (decision D9).
    ///
    /// - Parameters:
    ///   - countsDeclaredSends: whether declared sends are a base.
    ///   - listsDeclaredSends: whether they are in the groups at all.
    func groups(
        countsDeclaredSends: Bool, listsDeclaredSends: Bool = true, key: (Placement) -> [Identifier?]
    ) -> [Group] {
        var groups: [[Identifier?]: Group] = [:]
        func group(_ key: [Identifier?]) -> Group {
            groups[key]
                ?? Group(key: key, bases: bases, countsDeclaredSends: countsDeclaredSends, deliveries: [], sends: [])
        }
        for delivery in deliveries {
            let key = key(delivery.placement)
            var grown = group(key)
            grown.deliveries.append(delivery)
            groups[key] = grown
        }
        for send in sends where listsDeclaredSends {
            let key = key(send.placement)
            var grown = group(key)
            grown.sends.append(send)
            groups[key] = grown
        }
        return groups.values.sorted { precedes($0.key, $1.key) }
    }
}

/// Whether a key sorts before another one: by bytes, column by column, nulls last (decision D9).
func precedes(_ left: [Identifier?], _ right: [Identifier?]) -> Bool {
    for (leftValue, rightValue) in zip(left, right) where leftValue != rightValue {
        guard let leftValue else { return false }
        guard let rightValue else { return true }
        return leftValue < rightValue
    }
    return false
}

/// A declared send that a report selects; "declared sends are verified", so `verified` excludes none.
struct SelectedSend {
    let placement: Placement
    let count: Int
    let failed: Int

    /// Nil if the selection excludes it by the hour of `sent_at` or by its stated values (decision D14).
    init?(_ send: DeclaredSend, declarations: Declarations, selection: Selection) {
        let hour = hourStart(send.sentAt)
        let dimensions = Dimensions(of: send)
        guard selection.selects(hour: hour), selection.selects(dimensions) else { return nil }
        if let within = selection.within, hour + within > selection.asOf { return nil }
        placement = Placement(dimensions, hour: hour, declarations: declarations, asOf: selection.asOf)
        count = send.count
        failed = send.failed
    }
}
