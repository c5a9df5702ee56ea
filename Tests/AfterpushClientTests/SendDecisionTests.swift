import AfterpushWire
import Foundation
import Testing

@testable import AfterpushClient

/// Tests what each response status means for the batch.
struct SendDecisionTests {
    private func decide(_ status: Int, _ body: String = "", count: Int = 5, retryAfter: String? = nil) -> SendDecision {
        let headers = retryAfter.map { ["retry-after": $0] } ?? [:]
        return SendDecision(TransportResponse(status: status, headers: headers, body: Data(body.utf8)), count: count)
    }

    private func responseBody(_ accepted: Int, _ duplicates: Int, durability: String = "committed") -> String {
        #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"rejected":[],"durability":"\#(durability)"}"#
    }

    @Test(arguments: [200, 202, 422])
    func `a response that accounts for every event completes the batch`(status: Int) {
        let expected = IngestResponse(accepted: 4, duplicates: 1, rejected: [], durability: .committed)
        #expect(decide(status, responseBody(4, 1)) == .acknowledge(expected))
    }

    @Test(arguments: ["", "<html>Sign in</html>", #"{"accepted":4}"#])
    func `a 200 response from something other than a collector acknowledges nothing`(body: String) {
        #expect(decide(200, body) == .retry(after: nil))
        #expect(decide(202, body) == .retry(after: nil))
        #expect(decide(200, responseBody(4, 0)) == .retry(after: nil), "one event is not accounted for")
    }

    @Test(arguments: [408, 429, 502, 503, 504])
    func `a temporary failure is retried after the time that the response asks for`(status: Int) {
        #expect(decide(status) == .retry(after: nil))
        #expect(decide(status, retryAfter: "7") == .retry(after: 7))
    }

    @Test func `a request without a response is retried`() {
        #expect(SendDecision(nil, count: 5) == .retry(after: nil))
    }

    @Test(arguments: [401, 403]) func `a refused key stops all sending`(status: Int) {
        #expect(decide(status) == .refuseKey)
    }

    @Test(arguments: [400, 413, 415])
    func `a batch that is refused as a whole is halved, and a single event is dropped`(status: Int) {
        #expect(decide(status) == .split)
        for type in ["application/problem+json", "Application/Problem+JSON; charset=utf-8"] {
            #expect(SendDecision(.problem(status, type: type), count: 1) == .drop)
        }
    }

    @Test(arguments: [400, 413, 415])
    func `a single event is kept if something other than a collector refuses it`(status: Int) {
        #expect(decide(status, "<html>Sign in</html>", count: 1) == .postpone)
        #expect(SendDecision(.problem(status, type: "application/json"), count: 1) == .postpone)
        #expect(SendDecision(.problem(status, type: nil), count: 1) == .postpone)
        let others = [
            "", "<html></html>", #"{"type":"about:blank","title":"Bad Request","status":\#(status)}"#,
            #"{"status":\#(status),"code":"","request_id":"a"}"#, #"{"status":\#(status),"code":"body_malformed"}"#,
            #"{"status":404,"code":"body_malformed","request_id":"a"}"#,
        ]
        for body in others {
            #expect(SendDecision(.problem(status, body: body), count: 1) == .postpone, "\(body)")
        }
    }

    @Test(arguments: [301, 404, 405, 431, 500, 501, 505])
    func `any other status keeps the events and delays the next attempt`(status: Int) {
        #expect(decide(status) == .postpone)
    }
}
