package import AfterpushWire
import Foundation

/// What an evaluation found: a result for each series, in the order of their names.
package struct AlertEvaluation: Sendable, Equatable {
    package struct Result: Sendable, Equatable {
        package let series: String
        package let finding: AlertFinding
        package let value: AlertValue
        /// The value and what is expected, as a sentence.
        package let description: String
    }

    package let results: [Result]

    /// The results of rows with one series are one result: outside if one of them is, inside only if all are.
    package init(_ results: [Result]) {
        var merged: [String: Result] = [:]
        for result in results {
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

    /// The most series of a rule. Further ones are left out, so that a rule by a column of free texts has a limit.
    package static let seriesLimit = 1_000

    /// Returns the states after the evaluation, and what changed.
    ///
    /// - Parameter states: The states before it, by series.
    package func apply(
        to states: [String: AlertRecord], at now: Timestamp, hold: Duration
    ) -> (states: [AlertRecord], changes: [AlertChange], forgotten: [String]) {
        var next: [AlertRecord] = []
        var changes: [AlertChange] = []
        var forgotten: [String] = []
        let seen = Set(results.map(\.series))
        let absent = states.values.filter { !seen.contains($0.series) }.map { record in
            Result(
                series: record.series, finding: .absent, value: record.value,
                description: "the report no longer has this row; last: \(record.description)")
        }
        for result in results.prefix(Self.seriesLimit) + absent.sorted(by: { $0.series < $1.series }) {
            let before = states[result.series]
            let old = before?.state ?? AlertState(phase: .ok, since: now, seenAt: now)
            let new = old.next(result.finding, at: now, hold: hold)
            if new.phase != old.phase {
                changes.append(
                    AlertChange(
                        id: UUID(), series: result.series, from: old.phase, to: new.phase, at: now,
                        value: result.value, description: result.description))
            }
            if result.finding == .absent, new.phase == .ok {
                forgotten.append(result.series)
            } else {
                let description = result.finding == .absent ? before?.description : nil
                next.append(
                    AlertRecord(
                        series: result.series, state: new, value: result.value,
                        description: description ?? result.description))
            }
        }
        return (next, changes, forgotten)
    }
}

/// The state of an alert, as it is stored.
package struct AlertRecord: Sendable, Equatable {
    package let series: String
    package let state: AlertState
    package let value: AlertValue
    package let description: String
}
