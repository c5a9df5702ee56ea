/// The deliveries and declared sends of one row, with their counts.
struct Group {
    let key: [Identifier?]
    let base: Base
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

    /// The size of the base, or of its part that meets a condition: sends or "confirmed deliveries".
    func baseCount(where condition: (Placement) -> Bool = { _ in true }) -> Int {
        switch base {
        case .sent: baseSendCount(where: condition)
        case .confirmed: count { $0.isConfirmed && condition($0.placement) }
        case .none: 0
        }
    }

    /// The base without its replaced deliveries; 0 if the declared sends don't cover those (decision D18).
    func baseCountLessReplaced(where condition: (Placement) -> Bool) -> Int {
        max(0, baseCount(where: condition) - numerator { $0.isReplaced && condition($0.placement) })
    }

    /// The deliveries of the base; with declared sends, all of the campaign's.
    var inBase: [SelectedDelivery] {
        switch base {
        case .sent: deliveries.filter(isAmongSends)
        case .confirmed: deliveries.filter(\.isConfirmed)
        case .none: []
        }
    }

    private func isAmongSends(_ delivery: SelectedDelivery) -> Bool {
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
