/// "A report says if they were declared after the first response": the goals and weights of a campaign (decision D64).
struct DeclaredLate {
    private let deliveries: [SelectedDelivery]
    private let declarations: Declarations

    /// - Parameter selection: only its app and `verified` count.
    init(_ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection) {
        var all = selection
        all.from = nil
        all.to = nil
        all.within = nil
        all.campaign = nil
        all.category = nil
        all.variant = nil
        all.platform = nil
        deliveries = SelectedDelivery.all(events, declarations, all).filter(\.isResponded)
        self.declarations = declarations
    }

    func goals(of campaign: Identifier) -> Bool {
        if isLate(declarations.campaign(campaign)?.goalsDeclaredAt, campaign, { _ in true }) { return true }
        return declarations.categories.contains { version in
            version.actions.contains(where: \.goal)
                && isLate(version.declaredAt, campaign) { delivery in
                    delivery.placement.version?.category == version.category
                        && delivery.placement.version?.version == version.version
                }
        }
    }

    func weights(of campaign: Identifier) -> Bool {
        isLate(declarations.campaign(campaign)?.weightsDeclaredAt, campaign) { _ in true }
    }

    private func isLate(
        _ time: Int?, _ campaign: Identifier, _ belongs: (SelectedDelivery) -> Bool
    ) -> Bool {
        guard let time else { return false }
        return deliveries.contains { delivery in
            delivery.placement.dimensions.campaign == campaign && belongs(delivery)
                && max(delivery.anchor, delivery.respondedAt ?? .max) < time
        }
    }
}
