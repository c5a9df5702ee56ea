import AfterpushWire
import Foundation
import SeededRandom
import Testing

@testable import AfterpushClient

/// Feeds random answers to what reads them.
struct AnswerFuzzTests {
    @Test func `any answer is decided in little time, and only one that accounts for every event acknowledges`() {
        var run = FuzzRun("answers")
        while run.goesOn() {
            let count = run.random.number(1...120)
            let response = Self.response(&run.random, count)
            let start = FuzzRun.work
            let decision = SendDecision(response, count: count)
            #expect(FuzzRun.work - start < 1, "\(response)")
            switch decision {
            case .acknowledge(let body):
                run.note("acknowledged")
                let numbers = [body.accepted, body.duplicates, body.rejected.count]
                #expect(numbers.allSatisfy { (0...count).contains($0) } && numbers.reduce(0, +) == count, "\(response)")
                #expect([200, 202, 422].contains(response.status))
                var counts = UploadCounts()
                for rejection in body.rejected { counts.countRejection(rejection.code) }
                #expect(counts.rejected.values.reduce(0, +) == body.rejected.count && counts.rejected.count <= 101)
            case .retry(let seconds):
                run.note("retried")
                #expect(seconds.map { (0...3_600).contains($0) } ?? true, "\(response)")
            case .split: #expect(count > 1)
            case .drop: #expect(count == 1)
            case .postpone, .refuseKey: run.note("kept")
            }
        }
    }

    @Test func `any categories are read or refused in little time, and can be stored again if read`() throws {
        var run = FuzzRun("categories")
        while run.goesOn() {
            let document = run.random.mutated(Array(run.random.one(of: Self.categories, Self.config).utf8))
            let start = FuzzRun.work
            let categories = try? RemoteCategory.decode(Data(document))
            #expect(FuzzRun.work - start < 1, "\(document)")
            run.note(categories == nil ? "refused" : "read")
            for category in categories ?? [] {
                _ = OptionNames.ofCategories.bits(of: category.options ?? [])
                for action in category.actions { _ = OptionNames.ofActions.bits(of: action.options ?? []) }
            }
            if let categories {
                let text = try JSONEncoder().encode(["categories": categories])
                #expect(try RemoteCategory.decode(text) == categories)
            }
            let tag = String(decoding: run.random.mutated(Array("\"v1-abc\"".utf8)), as: UTF8.self)
            let entry = try JSONEncoder().encode(CategoryCache.Entry(tag: tag, document: Data(document)))
            let stored = try? JSONDecoder().decode(
                CategoryCache.Entry.self, from: Data(run.random.mutated(Array(entry))))
            #expect(stored?.tag?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true)
            _ = UnverifiedReceipt(String(decoding: run.random.mutated(Array(Self.receipt.utf8)), as: UTF8.self))
        }
    }

    @Test(.timeLimit(.minutes(30)))
    func `a client that gets random answers loses no event and ends in time`() async throws {
        var run = FuzzRun("sending")
        while run.goesOn() {
            let answers = Locked(SeededGenerator(seed: run.random.next()))
            let transport = RandomTransport { count in answers.withLock { Self.response(&$0, count) } }
            var configuration = AfterpushConfiguration(
                url: Sample.url, key: "ap_ingest_test", directory: FileManager.default.temporaryDirectory, deviceID: "d"
            )
            configuration.batchEvents = run.random.number(1...20)
            configuration.delay = .infinity
            configuration.firstRetryDelay = 0.01
            configuration.longestRetryDelay = 0.01
            let client = AfterpushClient(inMemory: configuration, transport: transport, now: Clock.now)
            let recorded = run.random.number(1...40)
            for _ in 0..<recorded { try client.recordSynchronously(.appOpened) }
            let start = ContinuousClock.now
            let outcome = await client.flush(within: 0.1)
            #expect(ContinuousClock.now - start < .seconds(30))
            run.note("\(outcome)")
            let counts = await client.counts
            let rejected = counts.rejected.values.reduce(0, +)
            let done = counts.accepted + counts.duplicates + rejected + counts.dropped.values.reduce(0, +)
            #expect(done <= recorded)
            // The time may be over right after the last event was acknowledged.
            if outcome == .completed { #expect(done == recorded) }
        }
    }

    private struct RandomTransport: EventTransport {
        let answer: @Sendable (Int) -> TransportResponse

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            answer(try ScriptedTransport.events(in: request).count)
        }
    }

    /// Returns an answer to a request: most often one that is almost right.
    private static func response(_ random: inout SeededGenerator, _ count: Int) -> TransportResponse {
        let status =
            random.happens(percent: 70) ? 200 : random.one(of: 200, 202, 422, 400, 401, 408, 413, 429, 503, 999)
        let retryAfter = random.one(
            of: "7", "Thu, 01 Jan 1970 00:00:20 GMT", random.hostileNumber(), "",
            String(decoding: random.mutated(Array("Fri, 31 Dec 9999 23:59:59 GMT".utf8)), as: UTF8.self))
        return TransportResponse(
            status: status, headers: random.happens(percent: 50) ? ["retry-after": retryAfter] : [:],
            body: Data(body(&random, count)))
    }

    private static func body(_ random: inout SeededGenerator, _ count: Int) -> [UInt8] {
        let rejections = random.happens(percent: 40) ? random.number(0...count) : 0
        let duplicates = random.number(0...count - rejections)
        let accepted = count - rejections - duplicates
        func number(_ right: Int) -> String {
            random.happens(percent: 10) ? random.hostileNumber() : String(right)
        }
        let entries = (0..<rejections).map { index in
            #"{"index":\#(number(index)),"event_id":null,"code":"c\#(random.number(0...300))","detail":"x"}"#
        }
        let text = """
            {"accepted":\(number(accepted)),"duplicates":\(number(duplicates)),\
            "rejected":[\(entries.joined(separator: ","))],"durability":"committed"}
            """
        return random.happens(percent: 40) ? random.mutated(Array(text.utf8)) : Array(text.utf8)
    }

    private static let categories = """
        {"categories":[{"identifier":"sale","version":3,"options":["customDismissAction"],"actions":[{"identifier":"book",\
        "title":"Book","options":["foreground"]},{"identifier":"reply","title":"Reply","text_input":{"button_title":"Send",\
        "placeholder":"Text"}}]}]}
        """
    private static let config = """
        {"NotificationConfig":{"UNNotificationCategory":{"sale":{"identifier":"sale","actions":["book"],"options":1}},\
        "UNNotificationAction":{"book":{"identifier":"book","title":"Book","options":4,"textInput":{"buttonTitle":"Send"}}}}}
        """
    private static let receipt = "eyJhbGciOiJIUzI1NiJ9.eyJqdGkiOiJuMSIsInN1YiI6ImQxIn0.c2ln"
}
