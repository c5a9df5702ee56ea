/// Computes the report `response-time` (decisions D40, D41, D78 and D79).
package func responseTimeReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    clock: ResponseClock? = nil
) -> [ModelRow] {
    let selected = Selected(events, declarations, selection)
    let clock = clock ?? ResponseClock(of: selected.deliveries)
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
        let observations = group.deliveries.compactMap { $0.observation(clock, asOf: selection.asOf) }
        let estimate = kaplanMeier(observations)
        row.append("responded", .int(group.count(\.isResponded)))
        for (name, share) in [("p50_seconds", 0.5), ("p90_seconds", 0.9), ("p99_seconds", 0.99)] {
            row.append(name, ModelValue(quantile(share, of: estimate)))
        }
        // "`response-time` has `timed`, those with a start."
        row.append("timed", .int(observations.count(where: \.isResponse)))
        row.append("clock", clock.value)
        return row
    }
}

/// Computes the report `response-time` with `curve=true`: a point for each distinct response time (decision D41).
package func responseCurve(
    events: [ModelEvent], declarations: Declarations, selection: Selection, clock: ResponseClock? = nil
) -> [ModelRow] {
    let deliveries = Selected(events, declarations, selection).deliveries
    let clock = clock ?? ResponseClock(of: deliveries)
    return kaplanMeier(deliveries.compactMap { $0.observation(clock, asOf: selection.asOf) }).map { point in
        var row = ModelRow()
        row.append("seconds", .double(point.seconds))
        row.append("at_risk", .int(point.atRisk))
        row.append("responded", .int(point.responded))
        row.append("survival", .double(point.survival))
        row.append("clock", clock.value)
        return row
    }
}

/// "A curve has one clock (confirmation, or send, not both)."
package enum ResponseClock: String, Sendable {
    case confirmed
    case sent
    /// No delivery was confirmed or sent.
    case none

    /// The confirmation if at least half of the deliveries that were confirmed or sent have one (decision D78).
    fileprivate init(of deliveries: [SelectedDelivery]) {
        let confirmed = deliveries.count(where: \.isConfirmed)
        if confirmed > 0, 2 * confirmed >= deliveries.count(where: { $0.isConfirmed || $0.isSent }) {
            self = .confirmed
        } else {
            self = deliveries.contains(where: \.isSent) ? .sent : .none
        }
    }

    fileprivate var value: ModelValue {
        self == .none ? .null : .text(Identifier(rawValue))
    }
}

/// How long a delivery was observed, and whether a response ended that.
private struct Observation {
    let seconds: Double
    let isResponse: Bool
}

private struct CurvePoint {
    let seconds: Double
    let atRisk: Int
    let responded: Int
    let survival: Double
}

/// E. L. Kaplan and P. Meier, Nonparametric estimation from incomplete observations, Journal of the American Statistical
/// Association 53 (1958), 457-481.
private func kaplanMeier(_ observations: [Observation]) -> [CurvePoint] {
    var survival = 1.0
    return Set(observations.filter(\.isResponse).map(\.seconds)).sorted().map { seconds in
        let atRisk = observations.count { $0.seconds >= seconds }
        let responded = observations.count { $0.isResponse && $0.seconds == seconds }
        survival *= 1 - Double(responded) / Double(atRisk)
        return CurvePoint(seconds: seconds, atRisk: atRisk, responded: responded, survival: survival)
    }
}

/// The first time at which the estimated share of answered deliveries reaches a share of its last value; nil without a
/// response (decision D79).
private func quantile(_ share: Double, of estimate: [CurvePoint]) -> Double? {
    guard let last = estimate.last else { return nil }
    // Products of rounded factors may miss the share by as much as they are off.
    return estimate.first { 1 - $0.survival >= share * (1 - last.survival) - 1e-9 }?.seconds
}

extension SelectedDelivery {
    private func earliest(_ condition: (ModelKind) -> Bool) -> Int? {
        events.filter { condition($0.kind) }.map(\.occurredAt).min()
    }

    /// The first response.
    var respondedAt: Int? {
        earliest { $0 == .opened || $0 == .dismissed || $0.isAct }
    }

    /// Nil without the clock. "A negative one counts as 0." "The unanswered censored at `as_of`", "failed or replaced
    /// deliveries are censored when that happens".
    fileprivate func observation(_ clock: ResponseClock, asOf: Int) -> Observation? {
        let start: Int? =
            switch clock {
            case .confirmed: confirmedAt
            case .sent: earliest { $0 == .sent }
            case .none: nil
            }
        guard let start else { return nil }
        func observation(until end: Int, isResponse: Bool) -> Observation {
            Observation(seconds: Double(max(0, end - start)) / 1_000_000, isResponse: isResponse)
        }
        if let respondedAt {
            return observation(until: respondedAt, isResponse: true)
        }
        let ends = [
            isFailed ? earliest { $0 == .failed } : nil, isReplaced ? earliest { $0 == .replaced } : nil, asOf,
        ]
        return observation(until: ends.compactMap(\.self).min() ?? asOf, isResponse: false)
    }
}
