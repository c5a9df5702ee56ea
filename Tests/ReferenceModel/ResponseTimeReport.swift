import Foundation

/// Computes the report `response-time` (decisions D40, D41, D78 and D79).
///
/// - Parameter rollups: Whether the times are rounded as in rollups (decision D90).
package func responseTimeReport(
    events: [ModelEvent],
    declarations: Declarations,
    selection: Selection,
    clock: ResponseClock? = nil,
    rollups: Bool = false
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
        let observations = group.deliveries.compactMap { delivery in
            rollups
                ? delivery.roundedObservation(clock, in: selection) : delivery.observation(clock, asOf: selection.asOf)
        }
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
        guard let start = start(of: clock) else { return nil }
        func observation(until end: Int, isResponse: Bool) -> Observation {
            Observation(seconds: Double(max(0, end - start)) / 1_000_000, isResponse: isResponse)
        }
        if let respondedAt {
            return observation(until: respondedAt, isResponse: true)
        }
        return observation(until: min(endedAt ?? asOf, asOf), isResponse: false)
    }

    private func start(of clock: ResponseClock) -> Int? {
        switch clock {
        case .confirmed: confirmedAt
        case .sent: earliest { $0 == .sent }
        case .none: nil
        }
    }

    /// When it failed or was replaced.
    private var endedAt: Int? {
        [isFailed ? earliest { $0 == .failed } : nil, isReplaced ? earliest { $0 == .replaced } : nil]
            .compactMap(\.self).min()
    }

    /// The observation with the time that stands for its bucket (decision D90).
    fileprivate func roundedObservation(_ clock: ResponseClock, in selection: Selection) -> Observation? {
        guard let start = start(of: clock) else { return nil }
        func observation(_ microseconds: Int, isResponse: Bool) -> Observation {
            guard microseconds > 0 else { return Observation(seconds: 0, isResponse: isResponse) }
            let bucket = 1 + floor(log(Double(microseconds)) / log(1.08))
            return Observation(seconds: pow(1.08, bucket - 0.5) / 1e6, isResponse: isResponse)
        }
        if let respondedAt { return observation(respondedAt - start, isResponse: true) }
        if let endedAt { return observation(endedAt - start, isResponse: false) }
        let day = 24 * microsecondsPerHour
        func dayStart(_ time: Int) -> Int { time - time % day }
        let anchorDay = dayStart(anchor)
        let isUTC = ["GMT", "UTC"].contains(selection.timeZone.identifier)
        let isByHour =
            selection.by.contains { $0 == .hour || $0 == .app_version || $0 == .day && !isUTC }
            || selection.appVersion != nil
        let isCut = [selection.from, selection.to].compactMap(\.self).contains { time in
            dayStart(time) == anchorDay && time % day != 0
        }
        let isRecent = abs(anchorDay - dayStart(selection.asOf)) <= day
        var begun = start - start % (isByHour || isCut || isRecent ? microsecondsPerHour / 4 : microsecondsPerHour)
        if !isByHour, !isCut, !isRecent { begun = min(max(begun, anchorDay - day), anchorDay + 8 * day) }
        return observation(selection.asOf - begun, isResponse: false)
    }
}
