import Foundation

/// Computes the report `value` from the events and declarations (decision D80).
package func valueReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    let selected = Selected(events, declarations, selection, byTime: selection.groupsByTime)
    var groups = selected.groups(countsDeclaredSends: !selection.groupsByTime) { placement in
        selection.by.map { placement.value(of: $0, in: selection) }
    }
    if selection.by.isEmpty, groups.isEmpty {
        groups = [Group(key: [], bases: selected.bases, countsDeclaredSends: true, deliveries: [], sends: [])]
    }
    let currencies = Set(selected.deliveries.flatMap { $0.values.keys }).sorted { precedes([$0], [$1]) }
    return groups.flatMap { group in
        currencies.map { row(group, $0, selection) }
    }
}

private func row(_ group: Group, _ currency: Identifier?, _ selection: Selection) -> ModelRow {
    let values = ValuesOfBase(group, currency)
    var row = ModelRow()
    for (grouping, value) in zip(selection.by, group.key) {
        row.append(grouping.column, ModelValue(value))
    }
    row.append("currency", ModelValue(currency))
    row.append("base", .text(Identifier(group.base.rawValue)))
    row.append("base_n", .int(values.count))
    row.append("converted_with_value", .int(values.valued))
    row.append("total_value", .double(Double(values.total) / 100))
    let mean = values.hasMean(minN: selection.minN) ? values.mean : nil
    let margin = mean.flatMap { _ in values.margin() }
    row.append("value_per_delivery", ModelValue(mean))
    row.append("value_per_delivery_low", ModelValue(margin.map { values.mean - $0 }))
    row.append("value_per_delivery_high", ModelValue(margin.map { values.mean + $0 }))
    let all = group.deliveries.compactMap { $0.values[currency] }.reduce(0, +)
    row.append("value_outside_base", .double(Double(all - values.total) / 100))
    let rate = Rate("value_per_delivery", values.valued, of: values.count)
    row.append("suppressed", .bool(rate.isSuppressed(minN: selection.minN)))
    row.append("reason", rate.reason(minN: selection.minN).map { .text($0) } ?? .null)
    return row
}

/// The values of a group's base in one currency, in hundredths; a delivery without one counts as 0.
struct ValuesOfBase {
    /// The deliveries of the base.
    let count: Int
    /// Those of them that have a value.
    let valued: Int
    let total: Int
    private let squares: Int

    init(_ group: Group, _ currency: Identifier?) {
        let values = group.inBase.compactMap { $0.values[currency] }
        count = group.baseCount()
        valued = values.count
        total = values.reduce(0, +)
        squares = values.map { $0 * $0 }.reduce(0, +)
    }

    func hasMean(minN: Int) -> Bool {
        count >= max(1, minN) && valued <= count
    }

    var mean: Double { Double(total) / 100 / Double(count) }

    /// "From the variance over all deliveries of the base, those without value counting 0"; nil for one delivery.
    var variance: Double? {
        guard count > 1 else { return nil }
        return Double(count * squares - total * total) / Double(count * (count - 1)) / 10_000
    }

    /// Half the width of the interval at 95 % (decision D81); nil for fewer than two independent deliveries.
    func margin(designEffect: Double = 1) -> Double? {
        let independent = Double(count) / designEffect
        guard let variance, independent >= 2 else { return nil }
        return studentQuantile(degrees: independent - 1) * (variance / independent).squareRoot()
    }
}

extension SelectedDelivery {
    /// "The value of a delivery, per currency, is the sum of `value` over its distinct `converted` events": in
    /// hundredths. The key nil is that of values without a currency.
    var values: [Identifier?: Int] {
        var values: [Identifier?: Int] = [:]
        for event in events where event.kind == .converted {
            guard let value = event.value else { continue }
            values[event.currency, default: 0] += value
        }
        return values
    }
}
