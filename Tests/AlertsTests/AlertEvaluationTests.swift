import AfterpushWire
import Testing

@testable import Alerts

/// Tests how much an evaluation keeps, without a database.
@Suite struct AlertEvaluationTests {
    private static let minute: Int64 = 60_000_000

    /// Evaluates a rule minute by minute.
    private struct Rule {
        var states: [String: AlertRecord] = [:]
        var minutes: Int64 = 0

        mutating func evaluate(
            _ names: [String], _ finding: AlertFinding = .outside, room: Int = .max
        ) -> AlertEvaluation.Outcome {
            minutes += 1
            let evaluation = AlertEvaluation(AlertEvaluationTests.results(names, finding))
            let now = Timestamp(microseconds: minutes * AlertEvaluationTests.minute)
            let outcome = evaluation.outcome(after: states, at: now, hold: .zero, room: room)
            for record in outcome.states { states[record.series] = record }
            for series in outcome.forgotten { states[series] = nil }
            return outcome
        }
    }

    fileprivate static func results(_ names: [String], _ finding: AlertFinding) -> [AlertEvaluation.Result] {
        names.map {
            AlertEvaluation.Result(
                series: #"{"campaign_id":"\#($0)"}"#, finding: finding, value: AlertValue(value: 1), description: "is 1"
            )
        }
    }

    private static func names(_ prefix: String, _ count: Int) -> [String] {
        (0..<count).map { "\(prefix)\(1_000_000 + $0)" }
    }

    @Test func `a rule watches 1,000 rows, and goes on with those that it watches when more come`() {
        var rule = Rule()
        let first = Self.names("m", 1_000)
        let all = rule.evaluate(first)
        #expect(all.changes.count == 1_000 && all.unwatched == 0)
        // By their names, they come before the others.
        let more = rule.evaluate(Self.names("a", 3_000) + first)
        #expect(more.changes == [] && more.unwatched == 3_000)
        #expect(rule.states.count == 1_000 && rule.states.keys.allSatisfy { $0.contains(#":"m"#) })
        #expect(rule.evaluate(Self.names("a", 3_000) + first, .inside).changes.allSatisfy { $0.to == .ok })
    }

    @Test func `of rows that fired and are gone, a rule remembers the 1,000 that it saw last`() {
        var rule = Rule()
        for round in 1...5 {
            let outcome = rule.evaluate(Self.names("\(round)-", 1_000))
            let resolved = outcome.changes.filter { $0.to == .ok }
            #expect(resolved.count == (round > 2 ? 1_000 : 0))
            #expect(resolved.allSatisfy { $0.series.contains("\"\(round - 2)-") })
            #expect(rule.states.count == min(round, 2) * 1_000)
        }
        // What is unchanged is not written again.
        #expect(rule.evaluate([]).states == [])
    }

    @Test func `an app without room for states watches no new row, and goes on with the others`() {
        var rule = Rule()
        _ = rule.evaluate(["b", "c"], .inside)
        let outcome = rule.evaluate(["a", "b", "c", "d"], room: 1)
        #expect(outcome.unwatched == 1)
        #expect(outcome.changes.map(\.series) == ["b", "c", "a"].map { #"{"campaign_id":"\#($0)"}"# })
        #expect(rule.evaluate(["a", "b", "c", "d"], room: -5).unwatched == 1)
        // Both limits count.
        #expect(rule.evaluate(Self.names("m", 3_000) + ["a"], room: 500).unwatched == 2_500)
    }

    @Test func `a row whose series would not fit into a key of PostgreSQL is left out`() {
        let long = String(repeating: #"\u0001"#, count: 400)
        let evaluation = AlertEvaluation(Self.results([long, "short"], .outside))
        #expect(evaluation.results.map(\.series) == [#"{"campaign_id":"short"}"#])
    }

    @Test func `a summary that fails or takes long lets those of other apps go first, and is left out at last`() {
        var turns = SummaryTurns()
        let start = ContinuousClock.now
        #expect(turns.limit(of: 1) == .seconds(5) && turns.excluded(at: start) == [])
        for attempt in 1...3 {
            let now = start + .seconds(attempt * 100)
            let expected: SummaryTurns.AfterFailure = attempt == 3 ? .giveUp : .retry
            #expect(turns.noteFailure(of: 1, at: now) == expected)
            #expect(turns.excluded(at: now) == [1] && turns.excluded(at: now + .seconds(61)) == [])
            #expect(turns.limit(of: 1) == .seconds(35) && turns.limit(of: 2) == .seconds(5))
        }
        turns.end(1)
        #expect(turns.excluded(at: start + .seconds(300)) == [] && turns.limit(of: 1) == .seconds(5))
    }
}
