extension Declarations {
    /// Declares some of the vocabulary's campaigns and categories, so that events name undeclared ones too.
    init(vocabulary: Vocabulary, now: Int, chance: inout Chance) {
        self.init()
        let effective = Self.effectiveTimes(now: now, chance: &chance)
        for category in vocabulary.categories.prefix(chance.number(2...4)) {
            categories += Self.versions(of: category, effective, vocabulary, &chance)
        }
        for id in vocabulary.campaigns.prefix(chance.number(2...4)) {
            let goals = chance.happens(40) ? chance.some(chance.number(1...2), of: vocabulary.actions) : []
            let hours = chance.one(of: 1, 2, 6, 24, 48, 72, 96)
            let variants = Self.variants(vocabulary, &chance)
            campaigns.append(Campaign(id, goalActions: goals, windowSeconds: hours * 3600, variants: variants))
        }
        if chance.happens(50), let campaign = chance.one(in: vocabulary.campaigns) {
            for _ in 1...chance.number(1...3) {
                sends.append(declaredSend(campaign, vocabulary, now, &chance))
            }
        }
    }

    /// Often none, at times only some of those that are sent, mostly with a control.
    private static func variants(_ vocabulary: Vocabulary, _ chance: inout Chance) -> [DeclaredVariant] {
        guard chance.happens(70) else { return [] }
        let ids = chance.some(chance.number(1...3), of: vocabulary.variants + ["never sent"])
        let control = chance.happens(80) ? chance.one(in: ids) : nil
        return ids.map { DeclaredVariant($0, weight: chance.one(of: 1, 1, 0.5, 9, 1e-3), isControl: $0 == control) }
    }

    /// When the versions take effect, the same for all categories; mostly, but not always, one after the other.
    private static func effectiveTimes(now: Int, chance: inout Chance) -> [Int] {
        let times = (0..<3).map { _ in now - chance.number(0...(10 * 24 * 60)) * 60_000_000 }
        return chance.happens(15) ? times : times.sorted()
    }

    private static func versions(
        of category: Identifier,
        _ effective: [Int],
        _ vocabulary: Vocabulary,
        _ chance: inout Chance
    ) -> [CategoryVersion] {
        var actions = Self.actions(vocabulary, &chance)
        var versions: [CategoryVersion] = []
        let retired = chance.happens(15)
        for number in 1...chance.number(1...4) {
            let options = chance.happens(50) ? ["customDismissAction"] : chance.happens(30) ? ["allowInCarPlay"] : []
            versions.append(CategoryVersion(category, number, options: options, actions: actions, retired: retired))
            if number > 1 { versions[number - 1].effectiveFrom = effective[number - 2] }
            // A version is another one only if it differs: at least by the titles.
            actions = chance.some(chance.number(1...2), of: actions) + Self.actions(vocabulary, &chance)
            actions = actions.enumerated().filter { index, action in
                !actions.prefix(index).contains { $0.id == action.id }
            }.map(\.element)
            for index in actions.indices { actions[index].title = "\(actions[index].id.text) in \(number + 1)" }
        }
        return versions
    }

    private static func actions(_ vocabulary: Vocabulary, _ chance: inout Chance) -> [DeclaredAction] {
        // The last two of the vocabulary are never declared.
        let ids = chance.some(chance.number(1...3), of: vocabulary.actions.dropLast(2))
        let namesGoals = chance.happens(30)
        return ids.map { id in
            DeclaredAction(
                id,
                title: id.text + " in 1",
                options: chance.happens(25) ? ["destructive"] : chance.happens(25) ? ["foreground"] : [],
                textInput: chance.happens(25),
                goal: namesGoals && chance.happens(60)
            )
        }
    }

    private func declaredSend(
        _ campaign: Identifier,
        _ vocabulary: Vocabulary,
        _ now: Int,
        _ chance: inout Chance
    ) -> DeclaredSend {
        var send = DeclaredSend(
            sendID: chance.uuid(),
            campaign: campaign,
            count: chance.happens(70) ? chance.number(20...300) : chance.number(1...5),
            failed: chance.happens(40) ? chance.number(1...9) : 0,
            sentAt: now - chance.number(0...(10 * 24 * 3600)) * 1_000_000
        )
        if chance.happens(50) { send.variant = chance.one(in: vocabulary.variants) }
        if chance.happens(50) { send.platform = chance.one(in: vocabulary.platforms) }
        if chance.happens(60), let version = chance.one(in: categories) {
            send.category = version.category
            if chance.happens(40) { send.categoryVersion = version.version }
        }
        return send
    }
}
