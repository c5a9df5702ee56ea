/// Computes the report `response-time` (decisions D40 and D41).
package func responseTimeReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection
) -> [ModelRow] {
    let selected = Selected(events, declarations, selection)
    var groups = selected.groups(countsDeclaredSends: false, listsDeclaredSends: false) { placement in
        selection.by.map { placement.value(of: $0, in: selection) }
    }
    groups = groups.filter { $0.count(\.isResponded) > 0 }
    // Without `by` there is exactly one row, even without a response (decision D9).
    if selection.by.isEmpty, groups.isEmpty {
        groups = [Group(key: [], bases: selected.bases, countsDeclaredSends: false, deliveries: [], sends: [])]
    }
    return groups.map { group in
        var row = ModelRow()
        for (grouping, value) in zip(selection.by, group.key) {
            row.append(grouping.column, ModelValue(value))
        }
        let seconds = group.deliveries.compactMap(\.secondsToResponse).sorted()
        row.append("responded", .int(group.count(\.isResponded)))
        for (name, percent) in [("p50_seconds", 50), ("p90_seconds", 90), ("p99_seconds", 99)] {
            row.append(name, nearestRank(percent, of: seconds).map { .double($0) } ?? .null)
        }
        // "`response-time` has `timed`, those with a start."
        row.append("timed", .int(seconds.count))
        return row
    }
}

/// Element ceil(n * percent / 100), counted from 1; nil for an empty list.
private func nearestRank(_ percent: Int, of sorted: [Double]) -> Double? {
    sorted.isEmpty ? nil : sorted[(sorted.count * percent + 99) / 100 - 1]
}

/// Computes the report `response-time` with `curve=true`: "the curve is Kaplan-Meier, the unanswered censored at
/// `as_of`".
///
/// There is a point for each distinct response time. E. L. Kaplan and P. Meier, Nonparametric estimation from
/// incomplete observations, Journal of the American Statistical Association 53 (1958), 457-481.
package func responseCurve(events: [ModelEvent], declarations: Declarations, selection: Selection) -> [ModelRow] {
    let deliveries = Selected(events, declarations, selection).deliveries.filter { $0.reachedAt != nil }
    let observed = deliveries.compactMap { $0.secondsObserved(until: selection.asOf) }
    let responses = deliveries.compactMap(\.secondsToResponse)
    var survival = 1.0
    return Set(responses).sorted().map { seconds in
        let atRisk = observed.count { $0 >= seconds }
        let responded = responses.count { $0 == seconds }
        survival *= 1 - Double(responded) / Double(atRisk)
        var row = ModelRow()
        row.append("seconds", .double(seconds))
        row.append("at_risk", .int(atRisk))
        row.append("responded", .int(responded))
        row.append("survival", .double(survival))
        return row
    }
}

extension SelectedDelivery {
    /// "Confirmation, else sent, else left out."
    var reachedAt: Int? {
        let confirmed = events.filter { $0.kind == .delivered }.map(\.occurredAt).min()
        return confirmed ?? events.filter { $0.kind == .sent }.map(\.occurredAt).min()
    }

    /// The first response.
    var respondedAt: Int? {
        events.filter { $0.kind == .opened || $0.kind == .dismissed || $0.kind.isAct }.map(\.occurredAt).min()
    }

    /// "Time to response: first response minus confirmation, else minus sent, else left out; a negative one counts as
    /// 0."
    var secondsToResponse: Double? {
        guard let reachedAt, let respondedAt else { return nil }
        return Double(max(0, respondedAt - reachedAt)) / 1_000_000
    }

    /// The observed time: until the response, otherwise until `asOf`.
    func secondsObserved(until asOf: Int) -> Double? {
        guard let reachedAt else { return nil }
        return secondsToResponse ?? Double(max(0, asOf - reachedAt)) / 1_000_000
    }
}
