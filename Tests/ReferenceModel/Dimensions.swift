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
        platform = Statement(in: events) { $0.platform }?.value
        appVersion = Statement(in: events) { $0.appVersion }?.value
        let campaignPair = Statement(in: events, of: \.campaignPair)?.value
        campaign = campaignPair?.first
        variant = campaignPair?.second
        let categoryPair = Statement(in: events, of: \.categoryPair)?.value
        category = categoryPair?.first
        categoryVersion = categoryPair?.second
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

/// The value of a dimension that decides, and the standing of the events that state it.
struct Statement<Value: Comparable> {
    /// "The standing of what states a dimension is: verified `sent`, verified `delivered`, verified other events; then
    /// unverified `sent`, `delivered`, other."
    enum Standing: CaseIterable {
        case verifiedSend, verifiedConfirmation, otherVerified, send, confirmation, other
    }

    let standing: Standing
    let value: Value
    /// All values that events of this standing state.
    let values: [Value]

    /// "The highest standing that says something decides; among equals the smallest value." Nil if none says anything.
    init?(in events: [ModelEvent], of statement: (ModelEvent) -> Value?) {
        for standing in Standing.allCases {
            let values = Self.events(events, of: standing).compactMap(statement)
            guard let smallest = values.min() else { continue }
            self.standing = standing
            self.values = values
            value = smallest
            return
        }
        return nil
    }

    /// "From other events only if it has neither" a send nor a confirmation, for unverified ones (decision D10).
    private static func events(_ events: [ModelEvent], of standing: Standing) -> [ModelEvent] {
        let verified = events.filter(\.verified)
        let unverified = events.filter { !$0.verified }
        return switch standing {
        case .verifiedSend: verified.filter { $0.kind == .sent }
        case .verifiedConfirmation: verified.filter { $0.kind == .delivered }
        case .otherVerified: verified.filter { !$0.kind.isSendOrConfirmation }
        case .send: unverified.filter { $0.kind == .sent }
        case .confirmation: unverified.filter { $0.kind == .delivered }
        case .other: events.contains(where: \.kind.isSendOrConfirmation) ? [] : unverified
        }
    }
}

extension ModelKind {
    var isSendOrConfirmation: Bool {
        self == .sent || self == .delivered
    }
}

extension ModelEvent {
    var campaignPair: Pair<Identifier>? {
        campaign.map { Pair(first: $0, second: variant) }
    }

    var categoryPair: Pair<Int>? {
        category.map { Pair(first: $0, second: categoryVersion) }
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
