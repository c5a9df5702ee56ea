extension FleetSegment.Habits {
    package func open(_ variant: PlannedVariant) -> Double { variant.open * open }

    package func dismiss(_ variant: PlannedVariant) -> Double { variant.dismiss * dismiss }

    /// Of an action or a text input; 0 if the variant does not offer it.
    package func probability(of action: String, _ variant: PlannedVariant) -> Double {
        let offered = variant.actions.first { $0.id == action }?.probability
        let replied = variant.reply.flatMap { $0.action == action ? $0.probability : nil }
        return (offered ?? replied ?? 0) * (actions[action] ?? 1)
    }
}
