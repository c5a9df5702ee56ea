/// The dimensions of a delivery or of a declared send.
struct Dimensions {
    var platform: Identifier?
    var appVersion: Identifier?
    var campaign: Identifier?
    var variant: Identifier?
    var category: Identifier?
    var categoryVersion: Int?
}

extension Dimensions {
    /// A delivery's dimensions: "`platform`, `app_version`, and the pairs (campaign, variant) and (category, version),
    /// each pair taken whole; a variant without a campaign and a version without a category are ignored".
    init(of events: [ModelEvent]) {
        platform = Self.smallest(in: events) { $0.platform }
        appVersion = Self.smallest(in: events) { $0.appVersion }
        let campaignPair = Self.smallest(in: events) { event in
            event.campaign.map { Pair(first: $0, second: event.variant) }
        }
        campaign = campaignPair?.first
        variant = campaignPair?.second
        let categoryPair = Self.smallest(in: events) { event in
            event.category.map { Pair(first: $0, second: event.categoryVersion) }
        }
        category = categoryPair?.first
        categoryVersion = categoryPair?.second
    }

    /// "From the delivery's `sent` events; what they leave open, from its confirmations (`delivered` events); from
    /// other events only if it has neither. Where several events of the same standing disagree, the smallest value
    /// wins."
    private static func smallest<Value: Comparable>(
        in events: [ModelEvent],
        statedBy statement: (ModelEvent) -> Value?
    ) -> Value? {
        let sends = events.filter { $0.kind == .sent }
        let confirmations = events.filter { $0.kind == .delivered }
        if let stated = sends.compactMap(statement).min() { return stated }
        if let stated = confirmations.compactMap(statement).min() { return stated }
        guard sends.isEmpty, confirmations.isEmpty else { return nil }
        return events.compactMap(statement).min()
    }

    /// A declared send has the dimensions that it states.
    init(of send: DeclaredSend) {
        platform = send.platform
        campaign = send.campaign
        variant = send.variant
        category = send.category
        categoryVersion = send.category == nil ? nil : send.categoryVersion
    }
}

/// (campaign, variant) or (category, version), "each pair taken whole".
struct Pair<Second: Comparable>: Comparable {
    let first: Identifier
    let second: Second?

    /// "Byte order, collation C; versions as integers; absent last".
    static func < (left: Pair, right: Pair) -> Bool {
        if left.first != right.first { return left.first < right.first }
        guard let leftSecond = left.second else { return false }
        guard let rightSecond = right.second else { return true }
        return leftSecond < rightSecond
    }
}
