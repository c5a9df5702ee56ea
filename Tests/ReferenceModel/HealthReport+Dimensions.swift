/// "Where several events of the same standing disagree, the smallest value wins, and `health` counts the conflict and
/// what only responses stated." "`health` does not count" a delivery in state `failed` "as known from responses only".
func dimensionRows(_ deliveries: [Delivery], _ rows: HealthRows) -> [ModelRow] {
    let all = deliveries.map(DimensionProblems.init)
    let names: [Identifier] = ["app_version", "campaign", "category", "platform"]
    let sections: [(String, String, (DimensionProblems) -> Set<Identifier>)] = [
        ("conflicting", "conflicts", \.conflicts),
        ("responses_only", "missing_from_sends", \.statedByResponses),
    ]
    return sections.flatMap { section, flag, problems in
        names.map { name in
            let count = all.count { problems($0).contains(name) }
            let isFlagged = count * 100 > deliveries.count
            return rows.share(section, name, count, of: deliveries.count, flag: isFlagged ? flag : nil)
        }
    }
}

/// The dimensions of a delivery that are in conflict or known from responses only.
private struct DimensionProblems {
    private(set) var conflicts: Set<Identifier> = []
    private(set) var statedByResponses: Set<Identifier> = []

    init(_ delivery: Delivery) {
        add("app_version", delivery) { $0.appVersion }
        add("campaign", delivery, \.campaignPair)
        add("category", delivery, \.categoryPair)
        add("platform", delivery) { $0.platform }
    }

    private mutating func add<Value: Comparable>(
        _ name: Identifier, _ delivery: Delivery, _ statement: (ModelEvent) -> Value?
    ) {
        let deciding = Statement(in: delivery.events, of: statement)
        if let deciding, deciding.values.contains(where: { $0 != deciding.value }) { conflicts.insert(name) }
        let isRefused =
            delivery.events.contains { $0.kind == .failed } && !delivery.events.contains(where: \.kind.showsDelivery)
        let stating = delivery.events.filter { statement($0) != nil }
        if !isRefused, !stating.isEmpty, !stating.contains(where: \.kind.isSendOrConfirmation) {
            statedByResponses.insert(name)
        }
    }
}
