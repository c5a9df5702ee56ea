/// Computes the report `undeclared`: undeclared names in events, with the number and times of those events.
package func undeclaredReport(
    events: [ModelEvent], declarations: Declarations, selection: Selection
) -> [ModelRow] {
    let own = Delivery.stored(events).filter {
        $0.app == selection.app && selection.selects(hour: hourStart($0.occurredAt))
    }
    let categories = categoriesOfDeliveries(events, of: selection.app)
    var seen: [[Identifier?]: [Int]] = [:]
    for event in own {
        for named in event.named(categories) where !declarations.declare(named) {
            seen[named.key, default: []].append(event.occurredAt)
        }
    }
    let kinds: [Identifier?] = ["campaign", "variant", "category", "category_version", "action"]
    let listed = seen.sorted { left, right in
        let places = [left, right].map { kinds.firstIndex(of: $0.key[0]) ?? 0 }
        if places[0] != places[1] { return places[0] < places[1] }
        if left.value.count != right.value.count { return left.value.count > right.value.count }
        return precedes(left.key, right.key)
    }
    return listed.map { key, times in
        var row = ModelRow()
        for (name, value) in [("kind", key[0]), ("name", key[2]), ("parent", key[1])] {
            row.append(name, ModelValue(value))
        }
        row.append("events", .int(times.count))
        row.append("first_at", .text(Identifier(rfc3339(hourStart(times.min() ?? 0)))))
        row.append("last_at", .text(Identifier(rfc3339(hourStart(times.max() ?? 0)))))
        return row
    }
}

private enum Named {
    case campaign(Identifier)
    case variant(Identifier, campaign: Identifier)
    case category(Identifier)
    case version(Int, category: Identifier)
    /// The category of the event, otherwise of its delivery; nil if both have none.
    case action(Identifier, category: Identifier?)

    var key: [Identifier?] {
        switch self {
        case .campaign(let name): ["campaign", nil, name]
        case .variant(let name, let campaign): ["variant", campaign, name]
        case .category(let name): ["category", nil, name]
        case .version(let number, let category): ["category_version", category, Identifier(String(number))]
        case .action(let name, let category): ["action", category, name]
        }
    }
}

extension Declarations {
    fileprivate func declare(_ named: Named) -> Bool {
        switch named {
        case .campaign(let name): campaign(name) != nil
        case .variant(let name, let parent): campaign(parent)?.variants.contains { $0.id == name } ?? false
        case .category(let name): !versions(of: name).isEmpty
        case .version(let number, let category): versions(of: category).contains { $0.version == number }
        case .action(let name, let category):
            categories.contains { (category == nil || $0.category == category) && $0.offers(name) }
        }
    }
}

extension ModelEvent {
    fileprivate func named(_ categories: [[Identifier?]: Identifier]) -> [Named] {
        var all: [Named] = []
        if let campaign {
            all.append(.campaign(campaign))
            if let variant { all.append(.variant(variant, campaign: campaign)) }
        }
        if let category {
            all.append(.category(category))
            if let categoryVersion { all.append(.version(categoryVersion, category: category)) }
        }
        if kind.isAct, let actionIdentifier, actionIdentifier != Self.otherAction {
            all.append(.action(actionIdentifier, category: category ?? categories[[notificationID, deviceID]]))
        }
        return all
    }
}

private func categoriesOfDeliveries(_ events: [ModelEvent], of app: Identifier) -> [[Identifier?]: Identifier] {
    var categories: [[Identifier?]: Identifier] = [:]
    for delivery in Delivery.all(in: events, of: app, heldOut: true) {
        guard let event = delivery.events.first else { continue }
        categories[[event.notificationID, event.deviceID]] = delivery.dimensions.category
    }
    return categories
}
