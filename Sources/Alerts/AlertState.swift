package import AfterpushWire

/// The state of an alert: of one row of the report that a rule watches.
package struct AlertState: Sendable, Equatable {
    package enum Phase: String, Sendable {
        case ok
        /// Outside, but not for long enough.
        case pending
        case firing
    }

    package var phase: Phase
    /// When the phase began.
    package var since: Timestamp
    /// Since when the value has been on the other side: outside while pending, inside while firing.
    package var changingSince: Timestamp?
    /// When the report last had the row.
    package var seenAt: Timestamp

    package init(phase: Phase, since: Timestamp, changingSince: Timestamp? = nil, seenAt: Timestamp) {
        self.phase = phase
        self.since = since
        self.changingSince = changingSince
        self.seenAt = seenAt
    }

    /// How long a row may be absent from its report before its alert resolves.
    static let longestAbsence: Duration = .seconds(24 * 3_600)

    /// Returns the state after an evaluation.
    ///
    /// An alert fires once the whole interval was outside in all evaluations of the time `hold`, and resolves once it was
    /// inside for as long. Between the two, when the interval reaches over the bound, a pending alert is ok again, and
    /// one that fires goes on.
    package func next(_ finding: AlertFinding, at now: Timestamp, hold: Duration) -> AlertState {
        var next = self
        if finding != .absent { next.seenAt = now }
        switch (phase, finding) {
        case (.ok, .outside): next.become(hold > .zero ? .pending : .firing, at: now)
        case (.pending, .outside): if isHeld(until: now, hold) { next.become(.firing, at: now) }
        case (.pending, _): next.become(.ok, at: now)
        case (.firing, .inside):
            next.changingSince = changingSince ?? now
            if next.isHeld(until: now, hold) { next.become(.ok, at: now) }
        case (.firing, .absent):
            next.changingSince = nil
            if seenAt.elapsed(until: now) >= max(Self.longestAbsence, hold) { next.become(.ok, at: now) }
        case (.firing, _): next.changingSince = nil
        case (.ok, _): break
        }
        return next
    }

    private func isHeld(until now: Timestamp, _ hold: Duration) -> Bool {
        (changingSince ?? now).elapsed(until: now) >= hold
    }

    mutating func become(_ phase: Phase, at now: Timestamp) {
        self.phase = phase
        since = now
        changingSince = phase == .pending ? now : nil
    }
}

extension Timestamp {
    func elapsed(until later: Timestamp) -> Duration { .microseconds(later.microseconds - microseconds) }
}
