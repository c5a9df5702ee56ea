/// Computes the report `overview` (decisions D45 and D83).
package func overviewReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    // Both periods use the same bases, so that they are comparable.
    var bases = Selected(events, declarations, selection).bases
    if let previous = selection.ofAnyAge.previous {
        let earlier = Selected(events, declarations, previous).bases
        bases = Bases(later: bases, earlier: earlier, selection.base)
    }
    let now = Period(events, declarations, selection, bases)
    // "A comparison with another period counts, in both, only responses within h of the anchor of deliveries at least h
    // old."
    var aged = selection
    aged.within = selection.within ?? selection.comparisonAge(declarations)
    let comparison = aged.previous.map { previous in
        PeriodComparison(
            now: Period(events, declarations, aged, bases), before: Period(events, declarations, previous, bases),
            sentBefore: selection.previous.map { Period(events, declarations, $0, bases).group.sendCount() },
            age: aged.within)
    }
    return countRows(now, comparison) + rateRows(now, comparison, minN: selection.minN)
}

/// Two periods at equal age.
private struct PeriodComparison {
    let now: Period
    let before: Period
    /// The sends of the period before, at any age.
    let sentBefore: Int?
    /// In microseconds.
    let age: Int?

    var seconds: ModelValue { age.map { .int($0 / 1_000_000) } ?? .null }
}

/// The counts of one period and group.
private struct Period {
    let group: Group
    let counts: [(String, Int)]
    let rates: [Rate]
    private let clusters: DeviceClusters
    /// Devices of the base and of the sends, of the whole hours (decision D77).
    private let devices: DeviceCount
    private let sentDevices: DeviceCount
    /// Whether the denominators of replies and dismissals are all deliveries of the base (decision D75).
    private let isTotal: Bool

    init(_ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection, _ bases: Bases) {
        let selected = Selected(events, declarations, selection)
        let group = Group(
            key: [], bases: bases, countsDeclaredSends: true, deliveries: selected.deliveries, sends: selected.sends)
        self.group = group
        counts = ReferenceModel.counts(group)
        let response = Rate("response_rate", group.numerator(\.isResponded), of: group.baseCount())
        rates = ReferenceModel.rates(group, Denominators(group)) + [response]
        clusters = DeviceClusters(events, declarations, selection, bases: bases)
        let whole = Selected(events, declarations, selection.ripeHours).deliveries
        devices = DeviceCount(of: whole.filter(group.isInBase))
        sentDevices = DeviceCount(of: whole.filter(group.isAmongSends))
        isTotal =
            selection.campaign == nil && selection.category == nil && selection.variant == nil
            && selection.platform == nil
    }

    func designEffect(_ rate: Rate) -> Double {
        clusters.designEffect(ofRate: rate.name, isTotal: isTotal)
    }

    /// The devices of the base; of a rate over the sends, those of the sends.
    func devices(of rate: Rate) -> DeviceCount {
        ["delivery_rate", "confirmation_coverage"].contains(rate.name) ? sentDevices : devices
    }

    /// The share of the base that is not closed.
    var openShare: ModelValue {
        let all = group.baseCount()
        return all == 0 ? .null : .double(Double(all - group.baseCount { $0.isClosed }) / Double(all))
    }
}

private func countRows(_ now: Period, _ comparison: PeriodComparison?) -> [ModelRow] {
    func count(_ name: String, _ period: Period) -> Int {
        period.counts.first { $0.0 == name }?.1 ?? 0
    }
    return ["sent", "delivered", "confirmed", "responded", "converted"].map { name in
        let value = count(name, now)
        let compared = comparison.map { name == "sent" ? value : count(name, $0.now) }
        let previous = comparison.map { name == "sent" ? $0.sentBefore ?? 0 : count(name, $0.before) }
        let change = compared.flatMap { compared in previous.map { Double(compared - $0) } }
        return row(
            name, value: [.double(Double(value)), .null, .null], n: .null,
            previous: ModelValue(previous.map { Double($0) }),
            change: [ModelValue(change), .null, .null], isSuppressed: false,
            reason: nil, designEffect: .null, devices: nil, openShare: .null, base: now.group,
            compared: ModelValue(compared.map { Double($0) }), comparison: comparison)
    }
}

private func rateRows(_ now: Period, _ comparison: PeriodComparison?, minN: Int) -> [ModelRow] {
    let names = [
        "delivery_rate", "confirmation_coverage", "response_rate", "open_rate", "action_rate", "conversion_rate",
        "reply_rate", "dismiss_rate",
    ]
    return names.compactMap { name in
        guard let rate = now.rates.first(where: { $0.name == name }) else { return nil }
        let previous = comparison?.before.rates.first { $0.name == name }
        let compared = comparison?.now.rates.first { $0.name == name }
        var change: [ModelValue] = [.null, .null, .null]
        if let comparison, let compared, let previous {
            change = difference(
                compared, comparison.now.designEffect(compared), previous, comparison.before.designEffect(previous),
                minN: minN)
        }
        let effect = now.designEffect(rate)
        return row(
            name, value: rate.cells(minN: minN, designEffect: effect).map(\.value), n: .int(rate.denominator),
            previous: previous?.cells(minN: minN).first?.value ?? .null, change: change,
            isSuppressed: rate.isSuppressed(minN: minN), reason: rate.reason(minN: minN), designEffect: .double(effect),
            devices: now.devices(of: rate), openShare: now.openShare, base: now.group,
            compared: compared?.cells(minN: minN).first?.value ?? .null, comparison: comparison)
    }
}

/// The difference of two rates with Newcombe's hybrid score interval. R. G. Newcombe, Interval estimation for the
/// difference between independent proportions, Statistics in Medicine 17 (1998), 873-890, method 10.
private func difference(
    _ rate: Rate, _ effect: Double, _ previous: Rate, _ previousEffect: Double, minN: Int
) -> [ModelValue] {
    guard
        case .double(let one) = rate.cells(minN: minN)[0].value,
        case .double(let other) = previous.cells(minN: minN)[0].value
    else { return [.null, .null, .null] }
    let first = ClusteredRate(rate.numerator, of: rate.denominator, designEffect: effect).interval
    let second = ClusteredRate(previous.numerator, of: previous.denominator, designEffect: previousEffect).interval
    let change = one - other
    let down = ((one - first.low) * (one - first.low) + (second.high - other) * (second.high - other)).squareRoot()
    let up = ((first.high - one) * (first.high - one) + (other - second.low) * (other - second.low)).squareRoot()
    return [.double(change), .double(change - down), .double(change + up)]
}

private func row(
    _ metric: String, value: [ModelValue], n: ModelValue, previous: ModelValue, change: [ModelValue],
    isSuppressed: Bool, reason: Identifier?, designEffect: ModelValue, devices: DeviceCount?, openShare: ModelValue,
    base group: Group, compared: ModelValue, comparison: PeriodComparison?
) -> ModelRow {
    var row = ModelRow()
    row.append("metric", .text(Identifier(metric)))
    for (name, cell) in zip(["value", "low", "high"], value) { row.append(name, cell) }
    row.append("n", n)
    row.append("previous", previous)
    for (name, cell) in zip(["change", "change_low", "change_high"], change) { row.append(name, cell) }
    row.append("suppressed", .bool(isSuppressed))
    row.append("reason", reason.map { .text($0) } ?? .null)
    row.append("design_effect", designEffect)
    row.append(DeviceCount.cells(devices))
    row.append("open_share", openShare)
    row.append("base", .text(Identifier(group.base.rawValue)))
    row.append("base_n", .int(group.baseCount()))
    row.append("compared", compared)
    row.append("within_seconds", comparison?.seconds ?? .null)
    // All deliveries are read (decision D45).
    row.append("compared_share", comparison == nil ? .null : .double(1))
    return row
}

extension Selection {
    /// "H being the smaller of the response window and what both periods have": the age of the period's end, if that is
    /// at least half as long as the period, otherwise of its middle, in whole seconds (decision D83).
    package func comparisonAge(_ declarations: Declarations) -> Int? {
        guard let from, let to else { return nil }
        let end = min(to, asOf)
        let isOld = 2 * (asOf - end) >= end - from
        let age = (2 * (asOf - end) + (isOld ? 0 : end - from)) / 2_000_000 * 1_000_000
        let window = declarations.campaign(campaign)?.windowSeconds ?? Campaign.defaultWindowSeconds
        return max(0, min(window * 1_000_000, age))
    }

    /// The preceding period of the same length; nil unless both ends are given.
    fileprivate var previous: Selection? {
        guard let from, let to, from < to else { return nil }
        var previous = self
        previous.from = from - (to - from)
        previous.to = from
        if let within {
            // Cut off where the requested period is (decision D83).
            previous.to = from - (to - min(to, asOf - within))
        }
        return previous
    }
}
