import AfterpushWire
import Foundation
import Testing

@testable import AfterpushClient

/// Tests answers that no collector sends, as from a captive portal, a broken proxy or an attacker.
@Suite(.timeLimit(.minutes(2))) struct HostileAnswerTests {
    private static let numbers = [
        "9223372036854775807", "-9223372036854775808", "9223372036854775806", "4611686018427387904", "-1", "5", "6",
    ]

    private func decide(_ body: String, status: Int = 200, count: Int = 5) -> SendDecision {
        SendDecision(TransportResponse(status: status, body: Data(body.utf8)), count: count)
    }

    @Test(arguments: numbers, numbers)
    func `counts of any size acknowledge nothing unless they add up to the events of the batch`(
        accepted: String, duplicates: String
    ) {
        let answer = #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"rejected":[],"durability":"committed"}"#
        #expect(decide(answer) == .retry(after: nil))
        #expect(decide(answer, status: 422) == .postpone)
    }

    @Test func `negative counts acknowledge nothing even if the sum is right`() {
        let rejections = [String](
            repeating: #"{"index":0,"event_id":null,"code":"c","detail":""}"#, count: 7
        ).joined(separator: ",")
        for (accepted, duplicates) in [(-1, -1), (-2, 0), (6, -8)] {
            let answer =
                #"{"accepted":\#(accepted),"duplicates":\#(duplicates),"rejected":[\#(rejections)],"durability":"spooled"}"#
            #expect(decide(answer) == .retry(after: nil))
        }
        #expect(decide(#"{"accepted":6,"duplicates":-1,"rejected":[],"durability":"spooled"}"#) == .retry(after: nil))
    }

    @Test(arguments: [
        "1e400", "-1e400", "1e5", "NaN", "Infinity", "5.5", "05", "\"5\"", "null", "true", "[5]", "{}", "1E-400",
        String(repeating: "9", count: 400_000), "0." + String(repeating: "9", count: 400_000),
    ])
    func `numbers in other forms acknowledge nothing`(number: String) {
        let end = #""durability":"committed"}"#
        #expect(decide(#"{"accepted":\#(number),"duplicates":0,"rejected":[],\#(end)"#) == .retry(after: nil))
        #expect(decide(#"{"accepted":5,"duplicates":0,"rejected":\#(number),\#(end)"#) == .retry(after: nil))
    }

    @Test(arguments: ["[", #"{"a":"#, #"{"rejected":["#, #"{"rejected":[{"detail":"#])
    func `an answer that is nested 100,000 levels deep acknowledges nothing`(opening: String) throws {
        let answer = String(repeating: opening, count: 100_000)
        #expect(decide(answer) == .retry(after: nil))
        let ignored = #"{"accepted":5,"duplicates":0,"rejected":[],"durability":"committed","x":\#(answer)}"#
        #expect(decide(ignored) == .retry(after: nil))
        #expect(throws: (any Error).self) { try RemoteCategory.decode(Data(answer.utf8)) }
    }

    @Test func `an answer of a million rejections takes no time and no memory, whatever transport it came through`()
        throws
    {
        let entry = Data(#"{"index":0,"event_id":null,"code":"","detail":""},"#.utf8)
        var body = Data(#"{"accepted":0,"duplicates":0,"durability":"committed","rejected":["#.utf8)
        body.reserveCapacity(entry.count * 1_000_000 + 1_000)
        for _ in 0..<1_000_000 { body.append(entry) }
        body.removeLast()
        body.append(Data("]}".utf8))
        let start = FuzzRun.work
        let decision = SendDecision(TransportResponse(status: 200, body: body), count: 100)
        #expect(decision == .retry(after: nil))
        #expect(FuzzRun.work - start < 0.1, "it is not even decoded")
        #expect(throws: (any Error).self) { try RemoteCategory.decode(body) }
    }

    @Test func `codes that a hostile collector makes up don't fill the memory`() async throws {
        let directory = try TestDirectory()
        let transport = ScriptedTransport { post, number in
            let rejections = post.events.indices.map { index in
                let code = "\(number)-\(index)" + String(repeating: "x", count: number % 2 * 10_000)
                return #"{"index":\#(index),"event_id":null,"code":"\#(code)","detail":""}"#
            }
            let list = rejections.joined(separator: ",")
            return .text(200, #"{"accepted":0,"duplicates":0,"rejected":[\#(list)],"durability":"committed"}"#)
        }
        let client = AfterpushClient(directory.configuration { $0.batchEvents = 10 }, transport: transport)
        for _ in 0..<200 { try await client.record(.appOpened) }
        #expect(await client.flush() == .completed)
        let rejected = await client.counts.rejected
        #expect(rejected.values.reduce(0, +) == 200)
        #expect(rejected.count <= 101 && rejected.keys.allSatisfy { $0.utf8.count <= 64 })
    }

    @Test(
        arguments: [
            ("1e308", 3_600), ("-1e308", 0), ("inf", nil), ("-inf", nil), ("nan", nil), ("0x1p1023", 3_600),
            ("1e400", nil),
            ("Fri, 31 Dec 99999999 23:59:59 GMT", nil), ("Fri, 31 Dec 9999 23:59:59 GMT", 3_600),
            ("Thu, 99 Jan 1970 99:99:99 GMT", nil), ("Fri, 31 Dec 9991e400 23:59:\u{484}W\u{FFFD}4E]59 GMT", nil),
            ("Thu, 01 Jan 1970 00:00:20\u{301} GMT", nil), ("Thu, 01 \u{130}an 1970 00:00:20 GMT", nil),
            (String(repeating: "1", count: 3_000_000), nil),
            (String(repeating: " ", count: 3_000_000) + "7", nil),
            ("Thu, " + String(repeating: "0", count: 3_000_000), nil),
        ] as [(String, Double?)])
    func `Retry-After of any size or length asks for an hour at most`(text: String, expected: Double?) {
        let start = FuzzRun.work
        #expect(RetryAfter.seconds(text, now: Date(timeIntervalSince1970: 0)) == expected)
        #expect(FuzzRun.work - start < 1)
    }

    @Test func `categories that are too large are not stored, whatever transport they came through`() async throws {
        let directory = try TestDirectory()
        let filler = String(repeating: " ", count: 5 << 20)
        let client = AfterpushClient(
            directory.configuration(), transport: FixedTransport(body: #"{"categories":[]\#(filler)}"#))
        #expect(await client.fetchCategories() == nil)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: directory.url.path).isEmpty)
    }

    @Test(arguments: ["a\r\nX-Injected: 1", String(repeating: "t", count: 10_000), "\u{0}", "\u{7F}", "ä"])
    func `an entity tag that can't be one is not sent back`(tag: String) async throws {
        let directory = try TestDirectory()
        let transport = FixedTransport(headers: ["etag": tag], body: #"{"categories":[]}"#)
        let client = AfterpushClient(directory.configuration(), transport: transport)
        _ = await client.fetchCategories()
        _ = await client.fetchCategories()
        #expect(transport.requests.count == 2 && transport.requests[1].headers["If-None-Match"] == nil)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300, 9.3e12])
    func `a notification that claims to have fired at an impossible time is recorded`(seconds: Double) {
        let reference = NotificationReference(
            payload: [:], requestIdentifier: "r", trigger: .calendar, firedAt: Date(timeIntervalSince1970: seconds))
        #expect(reference.notificationID?.hasPrefix("r") == true)
    }

    /// Gives the same answer to every request, and records the requests.
    private final class FixedTransport: EventTransport {
        private let response: TransportResponse
        private let received = Locked<[TransportRequest]>([])

        var requests: [TransportRequest] { received.withLock { $0 } }

        init(headers: [String: String] = [:], body: String) {
            response = TransportResponse(status: 200, headers: headers, body: Data(body.utf8))
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            received.withLock { $0.append(request) }
            return response
        }
    }
}
