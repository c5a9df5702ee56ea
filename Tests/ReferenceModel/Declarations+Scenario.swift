import SeededRandom

extension Declarations {
    /// Declares only some of the vocabulary's campaigns and categories, so that events also name undeclared ones.
    init(vocabulary: Vocabulary, now: Int, random: inout SeededGenerator) {
        self.init()
        let effective = Self.effectiveTimes(now: now, random: &random)
        for category in vocabulary.categories.prefix(random.number(2...4)) {
            categories += Self.versions(of: category, effective, vocabulary, now: now, &random)
        }
        for id in vocabulary.campaigns.prefix(random.number(2...4)) {
            let goals = random.happens(percent: 40) ? random.some(random.number(1...2), of: vocabulary.actions) : []
            let hours = random.one(of: 1, 2, 6, 24, 48, 72, 96)
            let variants = Self.variants(vocabulary, &random)
            var campaign = Campaign(id, goalActions: goals, windowSeconds: hours * 3600, variants: variants)
            let conversionHours = random.one(of: nil, nil, 1, 5, 30, 100)
            campaign.conversionWindowSeconds = conversionHours.map { $0 * 3600 - random.one(of: 0, 1) }
            let declaredAt = now - random.number(0...(11 * 24 * 3600)) * 1_000_000
            campaign.goalsDeclaredAt = goals.isEmpty ? nil : declaredAt
            campaign.weightsDeclaredAt = variants.isEmpty ? nil : declaredAt + random.number(-7_200...7_200) * 1_000_000
            campaign.plannedDeliveries = random.one(of: nil, 50, 500, 100_000)
            campaign.minimumEffect = random.one(of: nil, 0.02, 0.3)
            campaign.holdout = random.one(of: nil, 0.1, 0.3)
            campaigns.append(campaign)
        }
        if random.happens(percent: 50), let campaign = random.one(in: vocabulary.campaigns) {
            for _ in 1...random.number(1...3) {
                sends.append(declaredSend(campaign, vocabulary, now, &random))
            }
        }
    }

    /// Declares often no variants, sometimes only some of those that are sent, and mostly a control.
    private static func variants(_ vocabulary: Vocabulary, _ random: inout SeededGenerator) -> [DeclaredVariant] {
        guard random.happens(percent: 70) else { return [] }
        let ids = random.some(random.number(1...3), of: vocabulary.variants + ["never sent"])
        let control = random.happens(percent: 80) ? random.one(in: ids) : nil
        return ids.map { DeclaredVariant($0, weight: random.one(of: 1, 1, 0.5, 9, 1e-3), isControl: $0 == control) }
    }

    /// The times when versions take effect, the same for all categories; mostly, but not always, in order.
    private static func effectiveTimes(now: Int, random: inout SeededGenerator) -> [Int] {
        let times = (0..<3).map { _ in now - random.number(0...(10 * 24 * 60)) * 60_000_000 }
        return random.happens(percent: 15) ? times : times.sorted()
    }

    private static func versions(
        of category: Identifier,
        _ effective: [Int],
        _ vocabulary: Vocabulary,
        now: Int,
        _ random: inout SeededGenerator
    ) -> [CategoryVersion] {
        var actions = Self.actions(vocabulary, &random)
        var versions: [CategoryVersion] = []
        let retired = random.happens(percent: 15)
        for number in 1...random.number(1...4) {
            let options =
                random.happens(percent: 50)
                ? ["customDismissAction"] : random.happens(percent: 30) ? ["allowInCarPlay"] : []
            versions.append(CategoryVersion(category, number, options: options, actions: actions, retired: retired))
            versions[number - 1].declaredAt = now - random.number(0...(11 * 24 * 3600)) * 1_000_000
            if number > 1 { versions[number - 1].effectiveFrom = effective[number - 2] }
            // Putting an equal set creates no version, so each version differs at least in its titles.
            actions = random.some(random.number(1...2), of: actions) + Self.actions(vocabulary, &random)
            actions = actions.enumerated().filter { index, action in
                !actions.prefix(index).contains { $0.id == action.id }
            }.map(\.element)
            for index in actions.indices { actions[index].title = "\(actions[index].id.text) in \(number + 1)" }
        }
        return versions
    }

    private static func actions(_ vocabulary: Vocabulary, _ random: inout SeededGenerator) -> [DeclaredAction] {
        // The last two actions of the vocabulary are never declared.
        let ids = random.some(random.number(1...3), of: vocabulary.actions.dropLast(2))
        let namesGoals = random.happens(percent: 30)
        return ids.map { id in
            DeclaredAction(
                id,
                title: id.text + " in 1",
                options: random.happens(percent: 25)
                    ? ["destructive"] : random.happens(percent: 25) ? ["foreground"] : [],
                textInput: random.happens(percent: 25),
                goal: namesGoals && random.happens(percent: 60)
            )
        }
    }

    private func declaredSend(
        _ campaign: Identifier,
        _ vocabulary: Vocabulary,
        _ now: Int,
        _ random: inout SeededGenerator
    ) -> DeclaredSend {
        var send = DeclaredSend(
            sendID: random.uuid(),
            campaign: campaign,
            count: random.happens(percent: 70) ? random.number(20...300) : random.number(1...5),
            failed: random.happens(percent: 40) ? random.number(1...9) : 0,
            sentAt: now - random.number(0...(10 * 24 * 3600)) * 1_000_000
        )
        if random.happens(percent: 50) { send.variant = random.one(in: vocabulary.variants) }
        if random.happens(percent: 50) { send.platform = random.one(in: vocabulary.platforms) }
        if random.happens(percent: 60), let version = random.one(in: categories) {
            send.category = version.category
            if random.happens(percent: 40) { send.categoryVersion = version.version }
        }
        return send
    }
}
