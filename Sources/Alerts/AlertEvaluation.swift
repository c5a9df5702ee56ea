package import AfterpushWire
import Foundation
import JSON

/// What an evaluation found: a result for each series, in the order of their names.
package struct AlertEvaluation: Sendable, Equatable {
    package struct Result: Sendable, Equatable {
        package let series: String
        package let finding: AlertFinding
        package let value: AlertValue
        /// The value and what is expected, as a sentence.
        package let description: String
    }

    /// What an evaluation does to the states of a rule.
    struct Outcome: Sendable {
        /// The states that are new or different.
        var states: [AlertRecord] = []
        var changes: [AlertChange] = []
        /// The series that are no longer in the report.
        var forgotten: [String] = []
        /// The number of rows for which the rule or the app has no room.
        var unwatched = 0
    }

    package let results: [Result]

    /// The results of rows with one series are one result: outside if one of them is, inside only if all are. Rows with
    /// longer series than can be stored are left out.
    package init(_ results: [Result]) {
        var merged: [String: Result] = [:]
        for result in results where result.series.utf8.count <= AlertLimits.seriesBytes {
            guard let present = merged[result.series] else {
                merged[result.series] = result
                continue
            }
            let order: [AlertFinding] = [.outside, .unclear, .inside, .absent]
            func rank(_ finding: AlertFinding) -> Int { order.firstIndex(of: finding) ?? order.count }
            if rank(result.finding) < rank(present.finding) { merged[result.series] = result }
        }
        self.results = merged.values.sorted { Array($0.series.utf8).lexicographicallyPrecedes(Array($1.series.utf8)) }
    }

    /// Returns what changes.
    ///
    /// - Parameters:
    ///   - states: The states before the evaluation, by series.
    ///   - room: How many more states the app can have.
    func outcome(after states: [String: AlertRecord], at now: Timestamp, hold: Duration, room: Int) -> Outcome {
        var outcome = Outcome()
        // What is watched stays watched, whatever rows come to the report.
        let known = results.filter { states[$0.series] != nil }.prefix(AlertLimits.seriesOfRule)
        let new = results.filter { states[$0.series] == nil }.prefix(AlertLimits.seriesOfRule - known.count)
        let added = new.prefix(max(0, room))
        outcome.unwatched = results.count - known.count - added.count
        for result in known + added {
            let before = states[result.series]
            let old = before?.state ?? AlertState(phase: .ok, since: now, seenAt: now)
            outcome.note(result, old, old.next(result.finding, at: now, hold: hold), at: now)
        }
        let watched = Set((known + added).map(\.series))
        let absent = states.values.filter { !watched.contains($0.series) }.sorted {
            ($1.state.seenAt.microseconds, $0.series) < ($0.state.seenAt.microseconds, $1.series)
        }
        var kept = 0
        for record in absent {
            var state = record.state.next(.absent, at: now, hold: hold)
            if state.phase == .firing, kept == AlertLimits.seriesOfRule { state.become(.ok, at: now) }
            if state.phase == .firing {
                kept += 1
                guard state != record.state else { continue }
                outcome.states.append(
                    AlertRecord(
                        series: record.series, state: state, value: record.value, description: record.description))
            } else {
                outcome.forgotten.append(record.series)
                outcome.noteChange(
                    record.series, record.state.phase, state.phase, record.value,
                    "the report no longer has this row; last: \(record.description)", at: now)
            }
        }
        return outcome
    }
}

extension AlertEvaluation.Outcome {
    fileprivate mutating func note(
        _ result: AlertEvaluation.Result, _ old: AlertState, _ new: AlertState, at now: Timestamp
    ) {
        noteChange(result.series, old.phase, new.phase, result.value, result.description, at: now)
        states.append(
            AlertRecord(series: result.series, state: new, value: result.value, description: result.description))
    }

    fileprivate mutating func noteChange(
        _ series: String, _ old: AlertState.Phase, _ new: AlertState.Phase, _ value: AlertValue, _ description: String,
        at now: Timestamp
    ) {
        guard new != old else { return }
        changes.append(
            AlertChange(
                id: UUID(), series: series, from: old, to: new, at: now, value: value,
                description: description.cut(toBytes: AlertLimits.descriptionBytes)))
    }
}

/// The state of an alert, as it is stored.
package struct AlertRecord: Sendable, Equatable {
    package let series: String
    package let state: AlertState
    package let value: AlertValue
    package let description: String
}
