/// The deliveries and declared sends of one row, with their counts.
struct Group {
    let key: [Identifier?]
    let bases: Bases
    /// False by day and hour: "Declared sends are no base by day or hour."
    let countsDeclaredSends: Bool
    var deliveries: [SelectedDelivery]
    /// The declared sends of the group, whether or not they are a base.
    var sends: [SelectedSend]

    /// The number of deliveries in a state, inside or outside the base (decision D1).
    func count(_ state: (SelectedDelivery) -> Bool) -> Int {
        deliveries.filter(state).count
    }

    /// Sends: "its declared sends if it has any, else its deliveries in state `sent`".
    func sendCount(where condition: (Placement) -> Bool = { _ in true }) -> Int {
        declaredCount(where: condition) + count { !$0.campaignHasDeclaredSends && $0.isSent && condition($0.placement) }
    }

    /// The sends that are a base: by day and hour the declared ones are none.
    func baseSendCount(where condition: (Placement) -> Bool = { _ in true }) -> Int {
        sendCount(where: condition) - (countsDeclaredSends ? 0 : declaredCount(where: condition))
    }

    private func declaredCount(where condition: (Placement) -> Bool) -> Int {
        sends.filter { condition($0.placement) }.map(\.count).reduce(0, +)
    }

    /// The base of the group's campaigns: "a row over several campaigns sums their bases; `base` then says `mixed`"
    /// (decision D5).
    var base: Base {
        let campaigns = (deliveries.map(\.placement) + sends.map(\.placement)).map(\.dimensions.campaign)
        if campaigns.isEmpty { return bases.ofMost }
        let words = Set(campaigns.map { bases[$0] }).subtracting([.none])
        return words.count > 1 ? .mixed : words.first ?? .none
    }

    func isInBase(_ delivery: SelectedDelivery) -> Bool {
        switch bases[delivery.placement.dimensions.campaign] {
        case .sent: isAmongSends(delivery)
        case .confirmed: delivery.isConfirmed
        case .none, .mixed: false
        }
    }

    /// The size of the base, or of its part that meets a condition: the sends of campaigns whose base they are, the
    /// confirmed deliveries of the others.
    func baseCount(where condition: (Placement) -> Bool = { _ in true }) -> Int {
        let declared = declaredCount { bases[$0.dimensions.campaign] == .sent && condition($0) }
        return (countsDeclaredSends ? declared : 0)
            + count { delivery in
                let isDeclared =
                    delivery.campaignHasDeclaredSends && bases[delivery.placement.dimensions.campaign] == .sent
                return !isDeclared && isInBase(delivery) && condition(delivery.placement)
            }
    }

    /// The base without its replaced deliveries; 0 if the declared sends don't cover those (decision D18).
    func baseCountLessReplaced(where condition: (Placement) -> Bool) -> Int {
        max(0, baseCount(where: condition) - numerator { $0.isReplaced && condition($0.placement) })
    }

    /// The deliveries of the base.
    var inBase: [SelectedDelivery] {
        deliveries.filter(isInBase)
    }

    /// Whether it counts as sent; with declared sends, every delivery of the campaign does.
    func isAmongSends(_ delivery: SelectedDelivery) -> Bool {
        delivery.campaignHasDeclaredSends ? countsDeclaredSends : delivery.isSent
    }

    /// The number of deliveries in a state within the base.
    func numerator(_ state: (SelectedDelivery) -> Bool) -> Int {
        inBase.filter(state).count
    }

    /// "Deliveries in state `sent`; with declared sends, all of the campaign's".
    func numeratorWithinSends(_ state: (SelectedDelivery) -> Bool) -> Int {
        count { isAmongSends($0) && state($0) }
    }

    /// The part of the group that meets a condition.
    func part(where condition: (Placement) -> Bool) -> Group {
        var part = self
        part.deliveries = deliveries.filter { condition($0.placement) }
        part.sends = sends.filter { condition($0.placement) }
        return part
    }
}
