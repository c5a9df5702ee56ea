import Foundation

/// Computes the report `lift` from the events and declarations.
///
/// - Parameters:
///   - outcome: the only outcome; if nil, all of a campaign's deliveries.
///   - window: "`window` (default 7 days)", in seconds.
///   - currency: the only currency of values; if nil, each that outcomes state (decision D87).
package func liftReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    outcome: Identifier? = nil,
    window: Int = 7 * 24 * 3600,
    margin: Double = 0.01,
    currency: Identifier? = nil
) -> [ModelRow] {
    // A holdout is compared with the campaign as a whole.
    var selection = selection
    (selection.category, selection.variant, selection.platform) = (nil, nil, nil)
    let deliveries = SelectedDelivery.all(events, declarations, selection, heldOut: true)
    let history = OutcomeHistory(events, selection, window: window * 1_000_000)
    let campaigns = campaignsWithHoldout(events, declarations, selection)
    return campaigns.sorted().flatMap { campaign -> [ModelRow] in
        // In an order of their own, so that sums of values are the same whatever else was selected.
        let own = deliveries.filter { delivery in
            delivery.placement.dimensions.campaign == campaign
                && (delivery.isHeldOut || delivery.isSent || delivery.isFailed)
        }.sorted { ($0.device, $0.notification ?? "") < ($1.device, $1.notification ?? "") }
        guard !own.isEmpty else { return [] }
        let names = outcome.map { [$0] } ?? history.names(of: own)
        return (names.isEmpty ? [nil] : names).flatMap { name in
            history.currencies(name, own, only: currency).map { currency in
                let lift = Lift(
                    campaign: declarations.campaign(campaign), deliveries: own, having: history.having(name, own),
                    isClosed: { $0.anchor + window * 1_000_000 <= selection.asOf },
                    values: history.values(name, currency), evidence: history.events(of: own, name))
                var row = ModelRow()
                row.append("campaign_id", .text(campaign))
                row.append("outcome", ModelValue(name))
                lift.append(to: &row, minN: selection.minN, margin: margin)
                return row
            }
        }
    }
}

/// The campaigns that declare a holdout or that have a delivery that was held out.
private func campaignsWithHoldout(
    _ events: [ModelEvent], _ declarations: Declarations, _ selection: Selection
) -> Set<Identifier> {
    var everything = Selection(app: selection.app, timeZone: selection.timeZone, asOf: selection.asOf)
    everything.verified = selection.verified
    everything.campaign = selection.campaign
    let heldOut = SelectedDelivery.all(events, declarations, everything, heldOut: true).filter(\.isHeldOut)
    let declared = declarations.campaigns.filter { $0.holdout != nil }.map(\.id)
    return Set(declared.filter { selection.campaign == nil || selection.campaign == $0 })
        .union(heldOut.compactMap(\.placement.dimensions.campaign))
}

/// The outcomes of devices: "`converted` may name no notification: then it is an *outcome* of the device alone.
/// `app_opened` is an outcome with the name `app_opened`."
private struct OutcomeHistory {
    private let outcomes: [Identifier: [(name: Identifier?, at: Int, event: ModelEvent)]]
    private let window: Int

    init(_ events: [ModelEvent], _ selection: Selection, window: Int) {
        var outcomes: [Identifier: [(name: Identifier?, at: Int, event: ModelEvent)]] = [:]
        for event in Delivery.stored(events) where event.app == selection.app {
            guard event.verified || !selection.verified else { continue }
            if event.kind == .app_opened {
                outcomes[event.deviceID, default: []].append(("app_opened", event.occurredAt, event))
            } else if event.kind == .converted, event.isAboutDeviceAlone {
                let name = event.name ?? "purchase"
                outcomes[event.deviceID, default: []].append((name == "" ? nil : name, event.occurredAt, event))
            }
        }
        self.outcomes = outcomes
        self.window = window
    }

    /// "A delivery has the outcome if its device has one of that name within `window` after its anchor."
    private func has(_ delivery: SelectedDelivery, _ name: Identifier?) -> Bool {
        !events(delivery, name).isEmpty
    }

    /// The events that the deliveries' outcomes of a name are, an event of two deliveries twice.
    func events(of deliveries: [SelectedDelivery], _ name: Identifier?) -> [ModelEvent] {
        deliveries.flatMap { events($0, name) }
    }

    private func events(_ delivery: SelectedDelivery, _ name: Identifier?) -> [ModelEvent] {
        (outcomes[delivery.device] ?? []).filter { outcome in
            outcome.name == name && outcome.at >= delivery.anchor && outcome.at <= delivery.anchor + window
        }.map(\.event)
    }

    /// The currencies of the values that the deliveries' outcomes of a name state; nil alone if they state none.
    func currencies(
        _ name: Identifier?, _ deliveries: [SelectedDelivery], only currency: Identifier?
    ) -> [Identifier?] {
        let stated = Set(events(of: deliveries, name).filter { $0.value != nil }.compactMap(\.currency))
        let chosen = stated.filter { currency ?? $0 == $0 }.sorted()
        return chosen.isEmpty ? [nil] : chosen
    }

    /// The values of deliveries, in hundredths of a currency; nil without one.
    func values(
        _ name: Identifier?, _ currency: Identifier?
    ) -> (currency: Identifier, of: (SelectedDelivery) -> Int)? {
        guard let currency else { return nil }
        return (
            currency,
            { [self] in events($0, name).filter { $0.currency == currency }.compactMap(\.value).reduce(0, +) }
        )
    }

    func having(_ name: Identifier?, _ deliveries: [SelectedDelivery]) -> [SelectedDelivery] {
        deliveries.filter { has($0, name) }
    }

    /// The outcomes that some of the deliveries have, in byte order, without a name last.
    func names(of deliveries: [SelectedDelivery]) -> [Identifier?] {
        let all = Set(outcomes.values.flatMap { $0 }.map(\.name))
        return all.filter { name in deliveries.contains { has($0, name) } }.sorted { precedes([$0], [$1]) }
    }
}

/// A campaign's treated deliveries and its held out ones, compared.
private struct Lift {
    let campaign: Campaign?
    let all: [SelectedDelivery]
    let treated: LiftArm
    let heldOut: LiftArm
    let values: (currency: Identifier, of: (SelectedDelivery) -> Int)?
    let evidence: [ModelEvent]

    init(
        campaign: Campaign?, deliveries: [SelectedDelivery], having: [SelectedDelivery],
        isClosed: (SelectedDelivery) -> Bool, values: (currency: Identifier, of: (SelectedDelivery) -> Int)?,
        evidence: [ModelEvent]
    ) {
        self.campaign = campaign
        self.evidence = evidence
        self.values = values
        all = deliveries
        treated = LiftArm(deliveries.filter { !$0.isHeldOut }, having.filter { !$0.isHeldOut }, isClosed)
        heldOut = LiftArm(deliveries.filter(\.isHeldOut), having.filter(\.isHeldOut), isClosed)
    }

    func append(to row: inout ModelRow, minN: Int, margin: Double) {
        treated.append("treated", to: &row, minN: minN)
        heldOut.append("holdout", to: &row, minN: minN)
        let isCompared = min(treated.n, heldOut.n) >= max(1, minN)
        let comparison = isCompared ? ProportionComparison(treated, heldOut, campaign?.plannedDeliveries) : nil
        let bounds = [
            ("", comparison?.difference), ("_low", comparison?.low), ("_high", comparison?.high),
            ("_low_anytime", comparison?.anytime.low), ("_high_anytime", comparison?.anytime.high),
        ]
        for (suffix, bound) in bounds { row.append("difference\(suffix)", ModelValue(bound)) }
        row.append("p", ModelValue(comparison?.p))
        row.append("p_anytime", ModelValue(comparison?.anytime.p))
        for (suffix, bound) in bounds {
            row.append("added\(suffix)", ModelValue(bound.map { $0 * Double(treated.n) }))
        }
        appendValues(to: &row, minN: minN)
        row.append("sample_ratio_p_anytime", ModelValue(sampleRatio))
        let isWaiting = !isCompared || [treated, heldOut].contains { $0.closed * 2 < $0.n }
        row.append("verdict", .text(verdict(sampleRatio, comparison?.anytime, margin: margin, isWaiting)))
        let devices = Set(all.map(\.device)).count
        row.append("devices", .int(devices))
        row.append("deliveries_per_device", .double(Double(all.count) / Double(devices)))
        row.append("treated_design_effect", ModelValue(treated.effect))
        row.append("holdout_design_effect", ModelValue(heldOut.effect))
        // "Reports that read them say what share of them is verified."
        let verified = Double(evidence.count(where: \.verified)) / Double(evidence.count)
        row.append("verified_share", evidence.isEmpty ? .null : .double(verified))
        let counts = [treated.n, heldOut.n]
        let isSuppressed = counts.contains { $0 > 0 && $0 < minN }
        row.append("reason", counts.contains(0) ? .text("no_base") : isSuppressed ? .text("few") : .null)
        row.append("suppressed", .bool(isSuppressed))
    }

    /// "`value_added` per currency with Welch's interval" (decision D87).
    private func appendValues(to row: inout ModelRow, minN: Int) {
        let own = values.map { LiftValues(treated, $0.of) }
        let other = values.map { LiftValues(heldOut, $0.of) }
        func shown(_ arm: LiftArm, _ mean: Double?) -> ModelValue { ModelValue(arm.n >= max(1, minN) ? mean : nil) }
        row.append("currency", ModelValue(values?.currency))
        row.append("treated_value_per_delivery", shown(treated, own?.mean))
        row.append("holdout_value_per_delivery", shown(heldOut, other?.mean))
        var (added, margin): (Double?, Double?)
        if let own, let other, min(treated.n, heldOut.n) >= max(1, minN) {
            added = (own.mean - other.mean) * Double(treated.n)
            margin = welchMargin(
                (own.variance, Double(treated.n) / own.effect), (other.variance, Double(heldOut.n) / other.effect)
            ).map { $0 * Double(treated.n) }
        }
        row.append("value_added", ModelValue(added))
        row.append("value_added_low", ModelValue(margin.flatMap { margin in added.map { $0 - margin } }))
        row.append("value_added_high", ModelValue(margin.flatMap { margin in added.map { $0 + margin } }))
    }

    /// "`sample_ratio_p_anytime` against the campaign's declared `holdout` share", of the deliveries divided by the design
    /// effect of the shares.
    private var sampleRatio: Double? {
        guard let share = campaign?.holdout else { return nil }
        let weights = [share, 1 - share]
        let parts = zip([heldOut.deliveries, treated.deliveries], weights).map { ratioVariance(all, $0) / $1 }
        let effect = max(1, Double(all.count) * parts.reduce(0, +))
        return sampleRatioAnytime([Double(heldOut.n) / effect, Double(treated.n) / effect], weights)
    }
}

/// The treated deliveries of a campaign, or those that were held out.
private struct LiftArm {
    let deliveries: [SelectedDelivery]
    let n: Int
    let outcomes: Int
    let closed: Int
    /// Nil without deliveries.
    let effect: Double?

    init(
        _ deliveries: [SelectedDelivery], _ having: [SelectedDelivery], _ isClosed: (SelectedDelivery) -> Bool
    ) {
        self.deliveries = deliveries
        n = deliveries.count
        outcomes = having.count
        closed = deliveries.filter(isClosed).count
        effect = deliveries.isEmpty ? nil : designEffect(deliveries, having)
    }

    var rate: ClusteredRate { ClusteredRate(outcomes, of: n, designEffect: effect ?? 1) }

    func append(_ name: String, to row: inout ModelRow, minN: Int) {
        row.append("\(name)_n", .int(n))
        row.append("\(name)_outcomes", .int(outcomes))
        row.append(Rate("\(name)_rate", outcomes, of: n).cells(minN: minN, designEffect: effect ?? 1))
    }
}

/// The values of an arm's deliveries in one currency; a delivery without any counts as 0.
private struct LiftValues {
    let mean: Double
    /// Nil for one delivery.
    let variance: Double?
    let effect: Double

    init(_ arm: LiftArm, _ value: (SelectedDelivery) -> Int) {
        let values = arm.deliveries.map { Double(value($0)) / 100 }
        let n = Double(values.count)
        let mean = values.reduce(0, +) / n
        self.mean = mean
        variance = n > 1 ? values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / (n - 1) : nil
        effect = valueDesignEffect(arm.deliveries, values)
    }
}

/// Two rates compared, with Newcombe's interval and the one that holds at every look.
private struct ProportionComparison {
    let difference: Double
    let low: Double
    let high: Double
    let p: Double
    let anytime: AnytimeComparison

    init(_ treated: LiftArm, _ heldOut: LiftArm, _ planned: Int?) {
        let (own, other) = (treated.rate, heldOut.rate)
        let isEqual = treated.outcomes * heldOut.n == heldOut.outcomes * treated.n
        difference = isEqual ? 0 : own.rate - other.rate
        low = difference - hypot(own.rate - own.interval.low, other.interval.high - other.rate)
        high = difference + hypot(own.interval.high - own.rate, other.rate - other.interval.low)
        let pooled = (own.x + other.x) / (own.n + other.n)
        let error = max(0, pooled * (1 - pooled) * (1 / own.n + 1 / other.n)).squareRoot()
        let areAlike = [0, treated.n + heldOut.n].contains(treated.outcomes + heldOut.outcomes)
        p = isEqual || areAlike ? 1 : erfc(abs(difference) / error / 2.0.squareRoot())
        anytime = AnytimeComparison(own, other, planned: planned, comparisons: 1)
    }
}
