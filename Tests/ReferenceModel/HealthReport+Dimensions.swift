/// "Where several events of the same standing disagree, the smallest value wins, and `health` counts the conflict and
/// what only responses stated."
func dimensionRows(_ deliveries: [Delivery], _ rows: HealthRows) -> [ModelRow] {
    let dimensions: [(Identifier, (ModelEvent) -> [ModelValue]?)] = [
        ("app_version", { event in event.appVersion.map { [.text($0)] } }),
        ("campaign", { event in event.campaign.map { [.text($0), ModelValue(event.variant)] } }),
        (
            "category",
            { event in event.category.map { [.text($0), event.categoryVersion.map { .int($0) } ?? .null] } }
        ),
        ("platform", { event in event.platform.map { [.text($0)] } }),
    ]
    let sections: [(String, String, ([[ModelValue]], [[ModelValue]], [[ModelValue]]) -> Bool)] = [
        // More than one value at the first rank that states any.
        (
            "conflicting", "conflicts",
            { sends, confirmations, others in
                let standing = [sends, confirmations, others].first { !$0.isEmpty } ?? []
                return Set(standing).count > 1
            }
        ),
        ("responses_only", "missing_from_sends", { $0.isEmpty && $1.isEmpty && !$2.isEmpty }),
    ]
    return sections.flatMap { section, flag, holds in
        dimensions.map { name, statement in
            let count = deliveries.count { delivery in
                let sends = delivery.events.filter { $0.kind == .sent }
                let confirmations = delivery.events.filter { $0.kind == .delivered }
                let others = delivery.events.filter { $0.kind != .sent && $0.kind != .delivered }
                // Other events do not count if there is a send or a confirmation.
                let isOpen = sends.isEmpty && confirmations.isEmpty
                let heard = section == "responses_only" || isOpen ? others.compactMap(statement) : []
                return holds(sends.compactMap(statement), confirmations.compactMap(statement), heard)
            }
            let isFlagged = count * 100 > deliveries.count
            return rows.share(section, name, count, of: deliveries.count, flag: isFlagged ? flag : nil)
        }
    }
}
