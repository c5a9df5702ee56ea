import AfterpushClient
import AfterpushWire
import Foundation
import Synchronization
import Testing

@testable import Simulator

@Suite(.timeLimit(.minutes(1))) struct FleetPosterTests {
    private static func traffic(devices: Int, forgers: Double = 0) -> FleetTraffic {
        var plan = FleetPlan.demo(now: Sample.now)
        plan.devices = devices
        for index in plan.segments.indices { plan.segments[index].forgers = forgers }
        return FleetTraffic(plan)
    }

    private func poster(
        _ url: String = "http://127.0.0.1:9", concurrency: Int = 4, queues: URL? = nil, timeout: Double = 30
    ) throws -> FleetPoster {
        FleetPoster(
            baseURL: try #require(URL(string: url)), ingestKey: ScriptedNetwork.ingestKey,
            sendKey: ScriptedNetwork.sendKey, concurrency: concurrency, queues: queues, timeout: timeout)
    }

    @Test func `every event is posted with the key that it needs, and the responses are summed up`() async throws {
        let (traffic, network) = (Self.traffic(devices: 100), ScriptedNetwork())
        let progress = Mutex<[Int]>([])
        let tally = try await poster().post(traffic, over: network) { done, all in
            #expect(all == traffic.visits.count + 1)
            progress.withLock { $0.append(done) }
        }
        #expect(progress.withLock { $0 } == Array(1...traffic.visits.count + 1))
        #expect(tally.accepted == traffic.eventCount && tally.rejected == 0)
        #expect(tally.duplicates > 0, "a request is repeated if its response is lost")
        for post in network.posts {
            let isFromServer = post.events.allSatisfy { [.sent, .failed, .heldOut].contains($0.kind) }
            #expect((post.key == ScriptedNetwork.sendKey) == isFromServer)
        }
    }

    @Test func `events are posted unchanged, and sent_at follows each device's clock`() async throws {
        let (traffic, network) = (Self.traffic(devices: 60), ScriptedNetwork())
        _ = try await poster().post(traffic, over: network)
        #expect(Set(network.posts.flatMap(\.events)) == Set(traffic.sends + Sample.deviceEvents(traffic)))
        let skews = Dictionary(uniqueKeysWithValues: traffic.devices.map { ($0.id, $0.clockSkew) })
        for post in network.posts where post.key == ScriptedNetwork.ingestKey {
            let skew = try #require(skews[post.events[0].deviceID ?? ""])
            let sentAt = Double(try #require(post.sentAt).microseconds) / 1_000_000
            #expect(abs(sentAt - skew - Date.now.timeIntervalSince1970) < 60)
        }
    }

    @Test func `devices with queues on disk post the same events and leave no file behind`() async throws {
        let queues = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: queues) }
        let (traffic, network) = (Self.traffic(devices: 10), ScriptedNetwork())
        _ = try await poster(queues: queues).post(traffic, over: network)
        #expect(Set(network.posts.flatMap(\.events)) == Set(traffic.sends + Sample.deviceEvents(traffic)))
        let paths = FileManager.default.subpaths(atPath: queues.path) ?? []
        #expect(paths.contains { $0.hasPrefix("device-") } && !paths.contains { $0.hasSuffix(".events") })
    }

    @Test func `forged events are posted by other devices, and an invalid key is refused`() async throws {
        let (traffic, network) = (Self.traffic(devices: 60, forgers: 0.2), ScriptedNetwork())
        let tally = try await poster().post(traffic, over: network)
        // This collector does not verify receipts: it accepts events that a real one rejects.
        #expect(tally.accepted == traffic.eventCount + traffic.rejectionCount)
        #expect(tally.refused > 0 && tally.refused == traffic.truth.forged.refused)
        let refused = Set(traffic.forgeries.filter { $0.kind == .withoutKey }.map(\.event.eventID))
        #expect(network.posts.allSatisfy { $0.events.allSatisfy { !refused.contains($0.eventID) } })
    }

    @Test func `a request to a busy collector is retried`() async throws {
        let network = ScriptedNetwork { $0 <= 2 ? ScriptedNetwork.refusal(503, "overloaded", retryAfter: "0") : nil }
        let traffic = Self.traffic(devices: 3)
        let tally = try await poster(concurrency: 1).post(traffic, over: network)
        #expect(tally.accepted == traffic.eventCount)
    }

    @Test func `the poster gives up at its time limit, and its error names status and code`() async throws {
        let network = ScriptedNetwork { _ in ScriptedNetwork.refusal(503, "overloaded") }
        let traffic = Self.traffic(devices: 3)
        let error = await #expect(throws: FleetPostError.self) {
            try await poster(concurrency: 1, timeout: 2).post(traffic, over: network)
        }
        #expect(error?.status == 503 && error?.code == "overloaded" && error?.attempts == network.requests)
        #expect(network.requests > 1)
        let example = FleetPostError(status: 503, code: "overloaded", detail: "come back later", attempts: 3)
        #expect(
            example.description
                == "the collector did not accept a request: status 503, overloaded, come back later (3 attempts)")
    }

    @Test func `a request with a wrong key is not retried`() async throws {
        let network = ScriptedNetwork { _ in ScriptedNetwork.refusal(401, "unauthorized") }
        let expected = FleetPostError(status: 401, code: "unauthorized", detail: "come back later", attempts: 1)
        await #expect(throws: expected) {
            try await poster(concurrency: 1).post(Self.traffic(devices: 3), over: network)
        }
        #expect(network.requests == 1)
    }

    @Test func `an unreachable collector is an error without a status`() async throws {
        let error = await #expect(throws: FleetPostError.self) {
            try await poster(timeout: 2).post(Self.traffic(devices: 3))
        }
        #expect(error?.status == nil && (error?.attempts ?? 0) >= 1 && error?.detail != nil)
    }

    @Test func `a failure among many requests always ends the posting`() async throws {
        let traffic = Self.traffic(devices: 6)
        for _ in 0..<60 {
            let network = ScriptedNetwork { $0 > 2 ? ScriptedNetwork.refusal(403, "forbidden") : nil }
            let error = await #expect(throws: FleetPostError.self) {
                try await poster().post(traffic, over: network)
            }
            #expect(error?.code == "forbidden")
        }
    }
}
