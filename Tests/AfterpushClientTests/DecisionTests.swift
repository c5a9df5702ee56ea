import AfterpushWire
import Foundation
import Testing

@testable import AfterpushClient

/// What an answer means, status by status.
struct DecisionTests {
    private func decide(_ status: Int, _ body: String = "", count: Int = 5, retryAfter: String? = nil) -> SendDecision {
        let headers = retryAfter.map { ["retry-after": $0] } ?? [:]
        return SendDecision(TransportResponse(status: status, headers: headers, body: Data(body.utf8)), count: count)
    }

    private func taken(_ accepted: Int, _ duplicates: Int, durability: String = "committed") -> String {
        #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"rejected":[],"durability":"\#(durability)"}"#
    }

    @Test(arguments: [200, 202, 422])
    func `an answer that accounts for every event ends the batch`(status: Int) {
        let expected = IngestResponse(accepted: 4, duplicates: 1, rejected: [], durability: .committed)
        #expect(decide(status, taken(4, 1)) == .acknowledge(expected))
    }

    @Test(arguments: ["", "<html>Sign in</html>", #"{"accepted":4}"#])
    func `a 200 that is not the collector's acknowledges nothing`(body: String) {
        #expect(decide(200, body) == .retry(after: nil))
        #expect(decide(202, body) == .retry(after: nil))
        #expect(decide(200, taken(4, 0)) == .retry(after: nil), "one event is not accounted for")
    }

    @Test(arguments: [408, 429, 502, 503, 504])
    func `what may pass is tried again, after the time that is asked for`(status: Int) {
        #expect(decide(status) == .retry(after: nil))
        #expect(decide(status, retryAfter: "7") == .retry(after: 7))
    }

    @Test func `no answer is tried again`() {
        #expect(SendDecision(nil, count: 5) == .retry(after: nil))
    }

    @Test(arguments: [401, 403]) func `a key that is not good stops everything`(status: Int) {
        #expect(decide(status) == .stop)
    }

    @Test(arguments: [400, 413, 415]) func `what can't be taken whole is halved, and dropped alone`(status: Int) {
        #expect(decide(status) == .split)
        #expect(decide(status, count: 1) == .drop)
    }

    @Test(arguments: [301, 404, 405, 431, 500, 501, 505])
    func `everything else keeps the events, and is not tried again soon`(status: Int) {
        #expect(decide(status) == .keep)
    }
}
