/// Computes the report `experiment` from the events and declarations.
package func experimentReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    // Variants are compared with each other, so there is no filter by variant.
    var selection = selection
    selection.variant = nil
    let selected = Selected(events, declarations, selection)
    let campaigns = selected.groups(countsDeclaredSends: true) { [$0.dimensions.campaign] }.compactMap { $0.key[0] }
    let listed = Set(campaigns + campaignsWithoutDeliveries(declarations, selection)).sorted()
    let groups = selected.groups(countsDeclaredSends: true) { [$0.dimensions.campaign, $0.dimensions.variant] }
    return listed.flatMap { campaign in
        let declared = declarations.campaign(campaign)?.variants ?? []
        let sent = groups.filter { $0.key[0] == campaign }.compactMap { $0.key[1] }
        let arms = Set(sent + declared.map(\.id)).map { id in
            Arm(
                campaign: campaign,
                declared: declared.first { $0.id == id },
                group: groups.first { $0.key == [campaign, id] }
                    ?? Group(
                        key: [campaign, id], base: selected.base, countsDeclaredSends: true, deliveries: [], sends: [])
            )
        }
        return rows(of: arms, selection)
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
    let declared: DeclaredVariant?
    let group: Group

    var variant: Identifier { group.key[1] ?? "" }
    var baseCount: Int { group.baseCount() }
    var convertedInBase: Int { group.numerator(\.isConverted) }

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

private func rows(of arms: [Arm], _ selection: Selection) -> [ModelRow] {
    let inOrder = arms.sorted { $0.precedence < $1.precedence }
    guard let control = inOrder.first else { return [] }
    let others = inOrder.dropFirst().sorted { $0.variant < $1.variant }
    let comparisons = others.map { Comparison($0, control, minN: selection.minN) }
    let adjusted = holm(comparisons.map { $0?.p })
    let ratio = sampleRatio(inOrder)
    let first = row(control, isControl: true, nil, nil, ratio, selection)
    let rest = others.indices.map { index in
        row(others[index], isControl: false, comparisons[index], adjusted[index], ratio, selection)
    }
    return [first] + rest
}

private func row(
    _ arm: Arm, isControl: Bool, _ comparison: Comparison?, _ adjusted: Double?, _ ratio: Double?,
    _ selection: Selection
) -> ModelRow {
    var row = ModelRow()
    row.append("campaign_id", .text(arm.campaign))
    row.append("variant", .text(arm.variant))
    row.append("control", .bool(isControl))
    row.append("base", .text(Identifier(arm.group.base.rawValue)))
    row.append("base_n", .int(arm.baseCount))
    row.append("converted", .int(arm.group.count(\.isConverted)))
    let rate = Rate("conversion_rate", arm.convertedInBase, of: arm.baseCount)
    row.append(rate.cells(minN: selection.minN))
    row.append("difference", ModelValue(comparison?.difference))
    row.append("difference_low", ModelValue(comparison?.low))
    row.append("difference_high", ModelValue(comparison?.high))
    row.append("p", ModelValue(comparison?.p))
    row.append("p_holm", ModelValue(adjusted))
    row.append("sample_ratio_p", ModelValue(ratio))
    row.append("n_needed", comparison?.needed.map { .int($0) } ?? .null)
    row.append("suppressed", .bool(rate.isSuppressed(minN: selection.minN)))
    return row
}

/// "Sample ratio: chi-square p of sends (else confirmations) against the declared weights", of the declared variants
/// (decision D54).
private func sampleRatio(_ arms: [Arm]) -> Double? {
    let declared = arms.compactMap { arm in arm.declared.map { (arm.group, $0.weight) } }
    let sends = declared.map { $0.0.sendCount() }
    let counts = sends.contains { $0 > 0 } ? sends : declared.map { $0.0.count(\.isConfirmed) }
    let total = Double(counts.reduce(0, +))
    guard counts.count > 1, total > 0 else { return nil }
    let weights = declared.map(\.1)
    let statistic = zip(counts, weights).map { count, weight in
        let expected = total * weight / weights.reduce(0, +)
        return (Double(count) - expected) * (Double(count) - expected) / expected
    }
    return chiSquareSurvival(statistic.reduce(0, +), degrees: counts.count - 1)
}

extension Comparison {
    /// Nil if one of the rates is null (decision D53).
    fileprivate init?(_ arm: Arm, _ control: Arm, minN: Int) {
        guard arm.hasRate(minN: minN), control.hasRate(minN: minN) else { return nil }
        self.init(
            arm.convertedInBase, of: arm.baseCount, against: control.convertedInBase, of: control.baseCount)
    }
}
