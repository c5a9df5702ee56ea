import Foundation

/// Computes the report `conversion` from the events and declarations.
package func conversionReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    clusters byDevice: Bool = false
) -> [ModelRow] {
    let selected = Selected(events, declarations, selection, byTime: selection.groupsByTime)
    var groups = selected.groups(countsDeclaredSends: !selection.groupsByTime) { placement in
        selection.by.map { placement.value(of: $0, in: selection) }
    }
    // Without `by` there is exactly one row, even if nothing is selected (decision D9).
    if selection.by.isEmpty, groups.isEmpty {
        groups = [Group(key: [], bases: selected.bases, countsDeclaredSends: true, deliveries: [], sends: [])]
    }
    guard byDevice else { return groups.map { conversionRow($0, selection) } }
    let clusters = DeviceClusters(
        events, declarations, selection, bases: selected.bases, byTime: selection.groupsByTime)
    var days = selection
    days.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
    // With `within`, devices are those of the whole hours (decision D77).
    let whole = Selected(events, declarations, selection.ripeHours).deliveries
    return groups.map { group in
        let own = clusters.part { delivery in
            selection.by.map { delivery.placement.value(of: $0, in: days) } == group.key
        }
        let members = whole.filter { delivery in
            selection.by.map { delivery.placement.value(of: $0, in: selection) } == group.key
                && group.isInBase(delivery)
        }
        return conversionRow(group, selection, own, DeviceCount(of: members))
    }
}

private func conversionRow(
    _ group: Group, _ selection: Selection, _ clusters: DeviceClusters? = nil, _ devices: DeviceCount? = nil
) -> ModelRow {
    var row = ModelRow()
    for (grouping, value) in zip(selection.by, group.key) {
        row.append(grouping.column, ModelValue(value))
    }
    for (name, count) in counts(group) {
        row.append(name, .int(count))
    }
    let denominators = Denominators(group)
    row.append("base", .text(Identifier(group.base.rawValue)))
    row.append("base_n", .int(denominators.base))
    row.append("reply_n", .int(denominators.reply))
    row.append("dismiss_n", .int(denominators.dismiss))
    row.append("closed_n", .int(denominators.closed))
    let rates = rates(group, denominators)
    for rate in rates {
        let effect = clusters?.designEffect(ofRate: rate.name) ?? 1
        row.append(rate.cells(minN: selection.minN, designEffect: effect))
    }
    row.append("suppressed", .bool(rates.contains { $0.isSuppressed(minN: selection.minN) }))
    let response = Rate("response_rate", group.numerator(\.isResponded), of: denominators.base)
    row.append(
        "reason",
        missingRates(rates + [response], base: denominators.base, minN: selection.minN).map { .text($0) } ?? .null)
    row.append("design_effect", ModelValue(clusters?.designEffect(ofRate: "conversion_rate")))
    row.append(DeviceCount.cells(devices))
    row.append(response.cells(minN: selection.minN, designEffect: clusters?.designEffect(ofRate: response.name) ?? 1))
    return row
}

func counts(_ group: Group) -> [(String, Int)] {
    [
        ("sent", group.sendCount()),
        // Failures of declared sends are added (decision D14).
        ("failed", group.count(\.isFailed) + group.sends.map(\.failed).reduce(0, +)),
        ("delivered", group.count(\.isDelivered)),
        ("confirmed", group.count(\.isConfirmed)),
        ("displayed", group.count(\.isDisplayed)),
        ("opened", group.count(\.isOpened)),
        ("acted", group.count(\.isActed)),
        ("replied", group.count(\.isReplied)),
        ("dismissed", group.count(\.isDismissed)),
        ("read", group.count(\.isRead)),
        ("responded", group.count(\.isResponded)),
        ("converted", group.count(\.isConverted)),
        // "Unanswered and closed is `no_response`, unanswered and not closed is `pending`." "A delivery in state `failed`
        // is neither."
        ("no_response", group.count { $0.isUnanswered && $0.placement.isClosed }),
        ("pending", group.count { $0.isUnanswered && !$0.placement.isClosed }),
    ]
}

/// The denominators that have their own columns.
struct Denominators {
    let base: Int
    let reply: Int
    let dismiss: Int
    let closed: Int

    init(_ group: Group) {
        base = group.baseCount()
        // "Base of deliveries whose category version offers a text action".
        reply = group.baseCount { $0.version?.offersText ?? false }
        // "Base of dismiss-observable deliveries, less those replaced".
        dismiss = group.baseCountLessReplaced { $0.isDismissObservable }
        // "Base of closed deliveries, less those replaced".
        closed = group.baseCountLessReplaced { $0.isClosed }
    }
}

/// The rates in the order of metrics.md's table; `action_conversion` is in the report `actions`.
func rates(_ group: Group, _ denominators: Denominators) -> [Rate] {
    let sends = group.baseSendCount()
    let base = denominators.base
    // A numerator lies within its denominator (decision D17): a reply to an action that the version does not offer
    // and an unobservable dismissal count only in the columns `replied` and `dismissed`.
    let replied = group.numerator { $0.isReplied && ($0.placement.version?.offersText ?? false) }
    let dismissed = group.numerator { $0.isDismissed && $0.placement.isDismissObservable }
    // The closed deliveries without a response, computed by subtraction, because declared sends can't be counted singly
    // (decision D25).
    let unanswered =
        denominators.closed - group.numerator { $0.placement.isClosed && $0.isResponded }
        - group.numerator { $0.placement.isClosed && $0.isRefusedSend }
    return [
        Rate("delivery_rate", group.numeratorWithinSends(\.isDelivered), of: sends),
        Rate("confirmation_coverage", group.numeratorWithinSends(\.isConfirmed), of: sends),
        Rate("open_rate", group.numerator(\.isOpened), of: base),
        Rate("action_rate", group.numerator(\.isActed), of: base),
        Rate("conversion_rate", group.numerator(\.isConverted), of: base),
        Rate("reply_rate", replied, of: denominators.reply),
        Rate("dismiss_rate", dismissed, of: denominators.dismiss),
        Rate("dismiss_coverage", group.baseCount { $0.isDismissObservable }, of: base),
        Rate("read_rate", group.numerator(\.isRead), of: base),
        Rate("no_response_rate", unanswered, of: denominators.closed),
    ]
}
