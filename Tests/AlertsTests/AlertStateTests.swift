import AfterpushWire
import Testing

@testable import Alerts

@Suite struct AlertStateTests {
    /// The phases after evaluations a minute apart, held for two minutes.
    private func phases(_ findings: [AlertFinding], hold: Duration = .seconds(120)) -> [String] {
        var state = AlertState(phase: .ok, since: Timestamp(microseconds: 0), seenAt: Timestamp(microseconds: 0))
        return findings.enumerated().map { minute, finding in
            let now = Timestamp(microseconds: Int64(minute + 1) * 60_000_000)
            state = state.next(finding, at: now, hold: hold)
            return state.phase.rawValue
        }
    }

    @Test func `an alert fires after the whole interval was outside for long enough`() {
        #expect(phases([.outside, .outside, .outside]) == ["pending", "pending", "firing"])
        #expect(phases([.outside], hold: .zero) == ["firing"])
        #expect(phases([.inside, .unclear, .absent], hold: .zero) == ["ok", "ok", "ok"])
    }

    @Test(arguments: [AlertFinding.inside, .unclear, .absent])
    func `an evaluation that is not outside ends what was pending`(_ finding: AlertFinding) {
        #expect(
            phases([.outside, .outside, finding, .outside, .outside])
                == ["pending", "pending", "ok", "pending", "pending"])
    }

    @Test func `an alert resolves after the whole interval was inside for as long`() {
        let fired: [AlertFinding] = [.outside, .outside, .outside]
        #expect(phases(fired + [.inside, .inside, .inside]).suffix(3) == ["firing", "firing", "ok"])
        #expect(
            phases(fired + [.inside, .inside, .unclear, .inside]).suffix(4) == Array(repeating: "firing", count: 4))
        #expect(phases(fired + [.unclear, .unclear, .unclear, .unclear]).last == "firing")
        #expect(phases([.outside, .unclear, .inside], hold: .zero) == ["firing", "firing", "ok"])
    }

    @Test func `an alert whose row is gone resolves after a day`() {
        let day = 24 * 60
        #expect(phases([.outside] + Array(repeating: .absent, count: day - 1), hold: .zero).last == "firing")
        #expect(phases([.outside] + Array(repeating: .absent, count: day), hold: .zero).last == "ok")
    }

    @Test func `a range compares the whole interval`() {
        func value(_ value: Double?, _ low: Double? = nil, _ high: Double? = nil) -> AlertValue {
            AlertValue(value: value, low: low, high: high)
        }
        #expect(AlertRuleFixture.finding(value(0.7, 0.6, 0.79), below: 0.8) == .outside)
        #expect(AlertRuleFixture.finding(value(0.7, 0.6, 0.81), below: 0.8) == .unclear)
        #expect(AlertRuleFixture.finding(value(0.85, 0.79, 0.9), below: 0.8) == .unclear)
        #expect(AlertRuleFixture.finding(value(0.85, 0.8, 0.9), below: 0.8) == .inside)
        #expect(AlertRuleFixture.finding(value(0.79), below: 0.8) == .outside)
        #expect(AlertRuleFixture.finding(value(0.8), below: 0.8) == .inside)
        #expect(AlertRuleFixture.finding(value(nil), below: 0.8) == .unclear)
        #expect(AlertRuleFixture.finding(value(.infinity), below: 0.8) == .unclear)
        #expect(AlertRuleFixture.finding(value(3, 2.5, 4), above: 2) == .outside)
        #expect(AlertRuleFixture.finding(value(3, 1.5, 4), above: 2) == .unclear)
    }

    @Test func `a band reaches from the lowest to the highest reference, and needs two of several weeks`() {
        let band = AlertBand(reference: .weeks(4), tolerance: 0.1, side: .both)
        let weeks = [AlertValue(value: 100), AlertValue(value: 50, low: 40, high: 60), AlertValue()]
        let range = AlertRuleFixture.range(of: band, weeks)
        #expect(range?.lower == 36 && range?.upper == 100 + 100 * 0.1)
        #expect(AlertRuleFixture.range(of: band, [AlertValue(value: 100), AlertValue()]) == nil)
        let below = AlertBand(reference: .group("category"), tolerance: 0.5, side: .below)
        let group = AlertRuleFixture.range(of: below, [AlertValue(value: 0.2, low: 0.1, high: 0.3)])
        #expect(group?.lower == 0.05 && group?.upper == nil)
    }
}
