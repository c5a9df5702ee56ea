import AfterpushWire
import Foundation
import Synchronization
import Testing

@testable import Simulator

@Suite(.timeLimit(.minutes(1))) struct FleetPosterTests {
    private let taken = LocalResponder.Answer(
        status: 200, body: #"{"accepted": 2, "duplicates": 1, "rejected": [], "durability": "committed"}"#)
    private let busy = LocalResponder.Answer(
        status: 503, headers: "Retry-After: 0\r\n", body: #"{"code": "overloaded", "detail": "come back later"}"#)

    private let traffic: FleetTraffic = {
        var plan = FleetPlan.demo(now: Sample.now)
        plan.devices = 3
        return FleetTraffic(plan)
    }()

    private func poster(_ responder: LocalResponder, concurrency: Int = 4) -> FleetPoster {
        FleetPoster(
            baseURL: responder.url, ingestKey: "ap_ingest_x", sendKey: "ap_send_y", concurrency: concurrency,
            retries: RetryPolicy(tries: 3, firstDelay: 0.001))
    }

    @Test func `every request is posted with the key that it needs, and the answers are summed up`() async throws {
        let responder = try LocalResponder([taken])
        defer { responder.close() }
        let requests = traffic.serverRequests.count + traffic.deviceRequests.count
        let progress = Mutex<[Int]>([])
        let tally = try await poster(responder).post(traffic) { done, all in
            #expect(all == requests)
            progress.withLock { $0.append(done) }
        }
        #expect(tally.accepted == 2 * requests && tally.duplicates == requests && tally.rejected == 0)
        #expect(progress.withLock { $0 } == Array(1...requests))
        #expect(responder.requests.count == requests)
        #expect(responder.requests.allSatisfy { $0.hasPrefix("POST /v1/events HTTP/1.1") })
        #expect(responder.requests.filter { $0.contains("Bearer ap_send_y") }.count == traffic.serverRequests.count)
        for request in responder.requests {
            #expect(request.contains("Bearer ap_send_y") == request.contains(#""kind":"sent""#))
        }
    }

    @Test func `events are posted as they are, and sent_at is the time of posting`() async throws {
        let responder = try LocalResponder([taken])
        defer { responder.close() }
        _ = try await poster(responder, concurrency: 1).post(traffic)
        let posted = try responder.requests.map { text in
            try JSONDecoder().decode(
                IngestRequest.self, from: Data((text.components(separatedBy: "\r\n\r\n").last ?? "").utf8))
        }
        #expect(posted.map(\.events) == (traffic.serverRequests + traffic.deviceRequests).map(\.events))
        let sentAt = try #require(posted.first?.sentAt)
        #expect(abs(Double(sentAt.microseconds) / 1_000_000 - Date.now.timeIntervalSince1970) < 60)
    }

    @Test func `a busy collector is asked again`() async throws {
        let responder = try LocalResponder([busy, busy, taken])
        defer { responder.close() }
        _ = try await poster(responder, concurrency: 1).post(traffic)
        let requests = traffic.serverRequests.count + traffic.deviceRequests.count
        #expect(responder.requests.count == requests + 2)
    }

    @Test func `the poster gives up after the stated tries, and names status and code`() async throws {
        let responder = try LocalResponder([busy])
        defer { responder.close() }
        let expected = FleetPostError(status: 503, code: "overloaded", detail: "come back later", tries: 3)
        await #expect(throws: expected) { try await poster(responder, concurrency: 1).post(traffic) }
        #expect(responder.requests.count == 3)
        #expect(
            expected.description
                == "the collector did not take a request: status 503, overloaded, come back later (3 tries)")
    }

    @Test func `a wrong key is not tried again`() async throws {
        let responder = try LocalResponder([.init(status: 401, body: #"{"code": "unauthorized"}"#)])
        defer { responder.close() }
        let expected = FleetPostError(status: 401, code: "unauthorized", detail: nil, tries: 1)
        await #expect(throws: expected) { try await poster(responder, concurrency: 1).post(traffic) }
    }

    @Test func `a collector that is not there is an error without a status`() async throws {
        let responder = try LocalResponder([taken])
        responder.close()
        try await Task.sleep(for: .milliseconds(50))
        let error = await #expect(throws: FleetPostError.self) { try await poster(responder).post(traffic) }
        #expect(error?.status == nil && error?.tries == 3 && error?.detail != nil)
    }

    @Test func `a failure amid many requests ends the posting, every time`() async throws {
        for _ in 0..<60 {
            let responder = try LocalResponder([taken, taken, .init(status: 403, body: #"{"code": "forbidden"}"#)])
            defer { responder.close() }
            let error = await #expect(throws: FleetPostError.self) { try await poster(responder).post(traffic) }
            #expect(error?.code == "forbidden")
        }
    }
}
