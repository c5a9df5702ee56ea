import Foundation

/// Computes the report `experiment` from the events and declarations.
package func experimentReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    margin: Double = 0.01,
    currency: Identifier? = nil
) -> [ModelRow] {
    // Variants are compared with each other, so there is no filter by variant.
    var selection = selection
    selection.variant = nil
    let selected = Selected(events, declarations, selection)
    let campaigns = selected.groups(countsDeclaredSends: true) { [$0.dimensions.campaign] }.compactMap { $0.key[0] }
    let listed = Set(campaigns + campaignsWithoutDeliveries(declarations, selection)).sorted()
    let groups = selected.groups(countsDeclaredSends: true) { [$0.dimensions.campaign, $0.dimensions.variant] }
    // With `within`, devices are those of the whole hours, like design effects (decision D77).
    let whole = Selected(events, declarations, selection.ripeHours)
    let clusters = DeviceClusters(events, declarations, selection, bases: selected.bases)
    let late = DeclaredLate(events, declarations, selection)
    return listed.flatMap { campaign in
        let declared = declarations.campaign(campaign)?.variants ?? []
        let sent = groups.filter { $0.key[0] == campaign }.compactMap { $0.key[1] }
        let arms = Set(sent + declared.map(\.id)).map { id in
            Arm(
                campaign: campaign,
                declaration: declarations.campaign(campaign),
                declared: declared.first { $0.id == id },
                clusters: clusters.of(campaign: campaign, variant: id),
                currency: currency,
                ripe: whole.deliveries.filter {
                    $0.placement.dimensions.campaign == campaign && $0.placement.dimensions.variant == id
                },
                group: groups.first { $0.key == [campaign, id] }
                    ?? Group(
                        key: [campaign, id], bases: selected.bases, countsDeclaredSends: true, deliveries: [], sends: []
                    ),
                base: campaigns.contains(campaign) || selection.base != .auto
                    ? selected.bases.base(ofListed: campaign, selection.base) : .none
            )
        }
        return rows(of: arms, clusters.of(campaign: campaign), selection, margin: margin).map { row in
            var row = row
            row.append("goals_declared_late", .bool(late.goals(of: campaign)))
            row.append("weights_declared_late", .bool(late.weights(of: campaign)))
            return row
        }
    }
}

/// Declared variants without deliveries have rows; those of a campaign without selected deliveries only if the campaign
/// is requested by name or the selection has no filter (decision D51).
private func campaignsWithoutDeliveries(_ declarations: Declarations, _ selection: Selection) -> [Identifier] {
    let isNarrowed =
        selection.from != nil || selection.to != nil || selection.category != nil || selection.platform != nil
    return declarations.campaigns.map(\.id).filter { id in
        selection.campaign.map { $0 == id } ?? !isNarrowed
    }
}

/// A variant in an experiment.
private struct Arm {
    let campaign: Identifier
    let declaration: Campaign?
    let declared: DeclaredVariant?
    let clusters: DeviceClusters
    let currency: Identifier?
    /// The deliveries of which the devices are counted.
    let ripe: [SelectedDelivery]
    let group: Group
    /// The base of all variants of the campaign.
    let base: Base

    var variant: Identifier { group.key[1] ?? "" }
    var baseCount: Int { group.baseCount() }
    var convertedInBase: Int { group.numerator(\.isConverted) }
    var closedCount: Int { group.baseCount { $0.isClosed } }
    var designEffect: Double { clusters.designEffect(\.isConverted) }

    /// "Fewer than `min_n` deliveries or fewer than half of its deliveries are closed".
    func isWaiting(minN: Int) -> Bool {
        baseCount < max(1, minN) || closedCount * 2 < baseCount
    }

    var rate: ClusteredRate { ClusteredRate(convertedInBase, of: baseCount, designEffect: designEffect) }

    /// The devices of the base, and how many deliveries each has.
    var devices: DeviceCount { DeviceCount(of: ripe.filter(group.isInBase)) }

    /// The values in the requested currency; nil without one.
    var values: ValuesOfBase? { currency.map { ValuesOfBase(group, $0) } }

    var valueDesignEffect: Double {
        currency.map { ReferenceModel.valueDesignEffect(clusters.inBase, currency: $0) } ?? 1
    }

    /// Sorts the control first: the declared one, else the first declared variant, else the first variant (decision
    /// D52).
    var precedence: (Int, Identifier) {
        switch declared?.isControl {
        case true?: (0, variant)
        case false?: (1, variant)
        case nil: (2, variant)
        }
    }

    /// Whether the variant has a rate to compare.
    func hasRate(minN: Int) -> Bool {
        baseCount >= max(1, minN) && convertedInBase <= baseCount
    }
}

private func rows(
    of arms: [Arm], _ clusters: DeviceClusters, _ selection: Selection, margin: Double
) -> [ModelRow] {
    let inOrder = arms.sorted { $0.precedence < $1.precedence }
    guard let control = inOrder.first else { return [] }
    let others = inOrder.dropFirst().sorted { $0.variant < $1.variant }
    let compared = others.filter { $0.hasRate(minN: selection.minN) && control.hasRate(minN: selection.minN) }.count
    // "The number of variants compared": those that the campaign declares, from the first look on (decision D89).
    let declared = others.count { $0.declared != nil }
    let comparisons = others.map {
        ArmComparison($0, control, minN: selection.minN, comparisons: max(declared, compared))
    }
    let adjusted = holm(comparisons.map { $0?.p })
    let ratio = sampleRatio(inOrder)
    let first = row(control, nil, nil, nil, ratio, verdict: .null, selection)
    let rest = others.indices.map { index in
        let isWaiting = others[index].isWaiting(minN: selection.minN) || control.isWaiting(minN: selection.minN)
        return row(
            others[index], control, comparisons[index], adjusted[index], ratio,
            verdict: .text(verdict(ratio?.anytime, comparisons[index]?.anytime, margin: margin, isWaiting)), selection)
    }
    return [first] + rest
}

/// A variant's row; `control` is nil and `verdict` null for the control.
private func row(
    _ arm: Arm, _ control: Arm?, _ comparison: ArmComparison?, _ adjusted: Double?,
    _ ratio: (fixed: Double, anytime: Double)?,
    verdict: ModelValue, _ selection: Selection
) -> ModelRow {
    var row = ModelRow()
    row.append("campaign_id", .text(arm.campaign))
    row.append("variant", .text(arm.variant))
    row.append("control", .bool(verdict == .null))
    row.append("base", .text(Identifier(arm.base.rawValue)))
    row.append("base_n", .int(arm.baseCount))
    row.append("converted", .int(arm.group.count(\.isConverted)))
    row.append("converted_base", .int(arm.convertedInBase))
    let rate = Rate("conversion_rate", arm.convertedInBase, of: arm.baseCount)
    row.append(rate.cells(minN: selection.minN, designEffect: arm.designEffect))
    row.append("difference", ModelValue(comparison?.difference))
    row.append("difference_low", ModelValue(comparison?.low))
    row.append("difference_high", ModelValue(comparison?.high))
    row.append("difference_low_anytime", ModelValue(comparison?.anytime.low))
    row.append("difference_high_anytime", ModelValue(comparison?.anytime.high))
    row.append("p", ModelValue(comparison?.p))
    row.append("p_anytime", ModelValue(comparison?.anytime.p))
    row.append("p_holm", ModelValue(adjusted))
    row.append("verdict", verdict)
    row.append("sample_ratio_p", ModelValue(ratio?.fixed))
    row.append("sample_ratio_p_anytime", ModelValue(ratio?.anytime))
    row.append("n_needed", comparison?.needed.map { .int($0) } ?? .null)
    row.append("detectable_effect", ModelValue(comparison?.detectable))
    row.append(DeviceCount.cells(arm.devices))
    row.append("design_effect", .double(arm.designEffect))
    row.append("reason", rate.reason(minN: selection.minN).map { .text($0) } ?? .null)
    row.append("suppressed", .bool(rate.isSuppressed(minN: selection.minN)))
    row.append(valueCells(arm, control, minN: selection.minN))
    return row
}

/// "`experiment` has `value_per_delivery` and its difference with Welch's interval for `currency=XXX`", of deliveries
/// divided by their design effects (decision D82).
private func valueCells(_ arm: Arm, _ control: Arm?, minN: Int) -> [ModelRow.Cell] {
    let own = arm.values
    let mean = own.flatMap { $0.hasMean(minN: minN) ? $0.mean : nil }
    let effect = arm.valueDesignEffect
    let margin = mean.flatMap { _ in own?.margin(designEffect: effect) }
    var difference: Double?
    var differenceMargin: Double?
    if let mean, let other = control?.values, other.hasMean(minN: minN) {
        difference = mean - other.mean
        differenceMargin = welchMargin(
            (own?.variance, Double(arm.baseCount) / effect),
            (other.variance, Double(other.count) / (control?.valueDesignEffect ?? 1)))
    }
    func bounds(_ middle: Double?, _ margin: Double?, _ sign: Double) -> ModelValue {
        guard let middle, let margin else { return .null }
        return .double(middle + sign * margin)
    }
    let cells: [(String, ModelValue)] = [
        ("converted_with_value", own.map { .int($0.valued) } ?? .null),
        ("total_value", ModelValue(own.map { Double($0.total) / 100 })),
        ("value_per_delivery", ModelValue(mean)),
        ("value_per_delivery_low", bounds(mean, margin, -1)),
        ("value_per_delivery_high", bounds(mean, margin, 1)),
        ("value_difference", ModelValue(difference)),
        ("value_difference_low", bounds(difference, differenceMargin, -1)),
        ("value_difference_high", bounds(difference, differenceMargin, 1)),
        ("value_design_effect", own == nil ? .null : .double(effect)),
    ]
    return cells.map { ModelRow.Cell(name: $0.0, value: $0.1) }
}

/// Half the width of Welch's interval at 95 %, of samples given by their variance and size.
func welchMargin(_ own: (variance: Double?, n: Double), _ other: (variance: Double?, n: Double)) -> Double? {
    guard let v1 = own.variance, let v0 = other.variance, own.n > 1, other.n > 1 else { return nil }
    let (error1, error0) = (v1 / own.n, v0 / other.n)
    let sum = error1 + error0
    guard sum > 0 else { return 0 }
    let (share1, share0) = (error1 / sum, error0 / sum)
    let degrees = 1 / (share1 * share1 / (own.n - 1) + share0 * share0 / (other.n - 1))
    return studentQuantile(degrees: degrees) * sum.squareRoot()
}

/// "`sample_ratio_mismatch` if `sample_ratio_p_anytime` < 0.01; else `better` or `worse` if the anytime interval leaves
/// out 0; `equivalent` if it lies within ± `margin`; `waiting` while ...; else `undecided`": `waiting` goes before
/// `equivalent` (decision D72).
func verdict(
    _ sampleRatio: Double?, _ comparison: AnytimeComparison?, margin: Double, _ isWaiting: Bool
) -> Identifier {
    if let sampleRatio, sampleRatio < 0.01 { return "sample_ratio_mismatch" }
    if let comparison {
        if comparison.low > 0 { return "better" }
        if comparison.high < 0 { return "worse" }
    }
    if isWaiting { return "waiting" }
    if let comparison, -margin <= comparison.low, comparison.high <= margin { return "equivalent" }
    return "undecided"
}

/// "Sample ratio: chi-square p of sends (else confirmations) against the declared weights", of the declared variants
/// (decision D54), and the test that holds at every look. Devices are the clusters: the counts are divided by the
/// design effect of the shares, by Rao and Scott's first-order correction (decision D73).
private func sampleRatio(_ arms: [Arm]) -> (fixed: Double, anytime: Double)? {
    let declared = arms.compactMap { arm in arm.declared.map { (arm, $0.weight) } }
    let sends = declared.map { $0.0.group.sendCount() }
    let hasSends = sends.contains { $0 > 0 }
    let counts = hasSends ? sends : declared.map { $0.0.group.count(\.isConfirmed) }
    let total = Double(counts.reduce(0, +))
    guard counts.count > 1, total > 0 else { return nil }
    let weights = declared.map(\.1)
    let clusters = declared.map { hasSends ? $0.0.clusters.sent : $0.0.clusters.confirmed }
    let all = clusters.flatMap(\.self)
    let sum = weights.reduce(0, +)
    var effect = 1.0
    if !all.isEmpty {
        let parts = zip(clusters, weights).map { own, weight in ratioVariance(all, own) / (weight / sum) }
        effect = max(1, Double(all.count) / Double(counts.count - 1) * parts.reduce(0, +))
    }
    let statistic = zip(counts, weights).map { count, weight in
        let expected = total * weight / sum
        return (Double(count) - expected) * (Double(count) - expected) / expected
    }
    return (
        chiSquareSurvival(statistic.reduce(0, +) / effect, degrees: counts.count - 1),
        sampleRatioAnytime(counts.map { Double($0) / effect }, weights)
    )
}

/// A variant compared with the control.
private struct ArmComparison {
    let difference: Double
    /// Newcombe's hybrid score interval at 95 %.
    let low: Double
    let high: Double
    /// The p value of the two-sided, pooled two-proportion test.
    let p: Double
    let anytime: AnytimeComparison
    let needed: Int?
    let detectable: Double?

    /// Nil if one of the rates is null (decision D53).
    init?(_ arm: Arm, _ control: Arm, minN: Int, comparisons: Int) {
        guard arm.hasRate(minN: minN), control.hasRate(minN: minN) else { return nil }
        let (own, other) = (arm.rate, control.rate)
        let isEqual = arm.convertedInBase * control.baseCount == control.convertedInBase * arm.baseCount
        difference = isEqual ? 0 : own.rate - other.rate
        low = difference - hypot(own.rate - own.interval.low, other.interval.high - other.rate)
        high = difference + hypot(own.interval.high - own.rate, other.rate - other.interval.low)
        let pooled = (own.x + other.x) / (own.n + other.n)
        let error = max(0, pooled * (1 - pooled) * (1 / own.n + 1 / other.n)).squareRoot()
        let areAlike = [0, arm.baseCount + control.baseCount].contains(arm.convertedInBase + control.convertedInBase)
        // If all or none converted, or if the rates are equal, there is no evidence against equality.
        p = isEqual || areAlike ? 1 : erfc(abs(difference) / error / 2.0.squareRoot())
        anytime = AnytimeComparison(
            own, other, planned: arm.declaration?.plannedDeliveries, comparisons: comparisons)
        needed = arm.declaration?.minimumEffect.flatMap {
            deliveriesNeeded(minimumEffect: $0, (arm.baseCount, own), (control.baseCount, other))
        }
        detectable = detectableEffect(own, over: other)
    }
}
