/// The base of each campaign, chosen once for a request.
struct Bases {
    /// Of the campaigns that have deliveries or sends; nil is the campaign of those without one.
    private let own: [Identifier?: Base]
    /// Of campaigns without selected deliveries or sends, whose deliveries design effects may still contain (decision
    /// D70).
    let ofMost: Base

    /// "`auto` chooses per campaign: `sent` if its sends cover at least half of its deliveries, else `confirmed` if it has
    /// confirmations."
    ///
    /// - Parameters:
    ///   - byTime: whether rows are days or hours, where declared sends are no base (decision D19).
    ///   - ownSends: whether only the deliveries' own sends count (decision D56).
    init(
        _ choice: BaseChoice, _ deliveries: [SelectedDelivery], _ sends: [SelectedSend], byTime: Bool = false,
        ownSends: Bool = false
    ) {
        let deliveries = Dictionary(grouping: deliveries, by: \.placement.dimensions.campaign)
        let sends = Dictionary(grouping: ownSends ? [] : sends, by: \.placement.dimensions.campaign)
        var own: [Identifier?: Base] = [:]
        for campaign in Set(deliveries.keys).union(sends.keys) {
            switch choice {
            case .sent: own[campaign] = .sent
            case .confirmed: own[campaign] = .confirmed
            case .auto:
                let declared = sends[campaign, default: []].map(\.count).reduce(0, +)
                own[campaign] = Self.base(
                    of: deliveries[campaign, default: []], declaredSends: byTime ? 0 : declared, ownSends: ownSends)
            }
        }
        self.init(own: own, otherwise: choice)
    }

    private init(own: [Identifier?: Base], otherwise choice: BaseChoice) {
        self.own = own
        switch choice {
        case .sent: ofMost = .sent
        case .confirmed: ofMost = .confirmed
        case .auto:
            let counts = Dictionary(grouping: own.values) { $0 }.mapValues(\.count)
            ofMost = counts.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key ?? .none
        }
    }

    /// The bases for two periods: those of the later one, and of the earlier one for campaigns that only it has (decision
    /// D45).
    init(later: Bases, earlier: Bases, _ choice: BaseChoice) {
        self.init(own: earlier.own.merging(later.own) { $1 }, otherwise: choice)
    }

    subscript(campaign: Identifier?) -> Base {
        own[campaign] ?? ofMost
    }

    /// The base of a campaign that may have no selected delivery or send.
    func base(ofListed campaign: Identifier, _ choice: BaseChoice) -> Base {
        own[campaign] ?? (choice == .auto ? .none : ofMost)
    }

    /// "A `sent` by an ingest key (local trigger) counts as sent for its own delivery and never decides `auto` for others"
    /// (decision D60). Without declared sends, the campaign's sends are its deliveries in state `sent`.
    private static func base(of deliveries: [SelectedDelivery], declaredSends: Int, ownSends: Bool) -> Base {
        let sent = deliveries.filter { $0.isSent && (ownSends || !$0.campaignHasDeclaredSends) }
        let local = sent.filter { !$0.isSentByProvider }
        let sends = declaredSends + sent.count - local.count
        if sends > 0, 2 * sends >= deliveries.count - local.count(where: \.isOnlySent) { return .sent }
        if deliveries.contains(where: \.isConfirmed) { return .confirmed }
        return !local.isEmpty && sent.count == deliveries.count ? .sent : .none
    }
}
