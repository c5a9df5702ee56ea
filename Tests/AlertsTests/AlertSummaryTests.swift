import AfterpushWire
import Testing

@testable import Alerts

@Suite struct AlertSummaryTests {
    /// Characters that begin a line, change the direction of text, or mean something to a terminal.
    @Test(arguments: ["\n", "\r\n", "\u{85}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2067}", "\u{1B}"])
    func `a campaign's name adds no line to a summary, and changes the direction of nothing`(mark: String) throws {
        let state = AlertState(phase: .firing, since: Timestamp(microseconds: 0), seenAt: Timestamp(microseconds: 0))
        let escaped = mark.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        let record = AlertRecord(
            series: #"{"campaign_id":"a"# + escaped.joined() + #"b"}"#, state: state,
            value: AlertValue(value: 1, low: nil, high: nil), description: "too \(mark)low")
        let space = String(repeating: " ", count: mark.unicodeScalars.count)
        let line = AlertSummary.line(of: "coverage", record)
        #expect(line == "Firing: coverage for campaign_id a\(space)b: too \(space)low")
    }
}
