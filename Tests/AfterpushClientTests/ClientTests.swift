import AfterpushWire
import Foundation
import Testing

@testable import AfterpushClient

@Suite(.timeLimit(.minutes(1))) struct ClientTests {
    private let directory: TestDirectory

    init() throws {
        directory = try TestDirectory()
    }

    private func client(
        _ transport: ScriptedTransport, _ change: (inout AfterpushConfiguration) -> Void = { _ in }
    ) -> AfterpushClient {
        AfterpushClient(directory.configuration(change), transport: transport)
    }

    private func record(_ count: Int, with client: AfterpushClient) async throws -> [UUID] {
        var ids: [UUID] = []
        for number in 0..<count {
            let id = try await client.record(.opened(NotificationReference("n\(number)")))
            ids.append(try #require(id))
        }
        return ids
    }

    @Test func `recorded events are posted in batches, with key, gzip and the device's clock`() async throws {
        let transport = ScriptedTransport()
        let client = client(transport) { $0.batchEvents = 4 }
        let ids = try await record(10, with: client)
        #expect(await client.flush() == .completed)
        #expect(transport.acknowledged.map(\.uuidString).sorted() == ids.map(\.uuidString).sorted())
        #expect(transport.posts.allSatisfy { $0.events.count <= 4 })
        let post = try #require(transport.posts.first)
        #expect(post.request.method == "POST" && post.request.url.path.hasSuffix("/v1/events"))
        #expect(post.request.headers["Authorization"] == "Bearer ap_ingest_test")
        #expect(post.request.headers["Content-Encoding"] == "gzip")
        let sentAt = try #require(post.sentAt)
        #expect(abs(sentAt.microseconds - Clock.now().microseconds) < 60_000_000)
        #expect(await client.counts.accepted == 10)
    }

    @Test func `a full batch is sent at once, and a single event is sent after the delay`() async throws {
        let transport = ScriptedTransport()
        let full = client(transport) { $0.batchEvents = 3 }
        let ids = try await record(3, with: full)
        await Self.wait { transport.acknowledged.count == 3 }
        #expect(Set(transport.acknowledged) == Set(ids))
        let quick = client(transport) { $0.delay = 0.05 }
        _ = try await record(1, with: quick)
        await Self.wait { transport.acknowledged.count == 4 }
        #expect(transport.acknowledged.count == 4)
        withExtendedLifetime((full, quick)) {}
    }

    @Test func `events that an earlier process recorded are sent after the start`() async throws {
        let ids = try await record(3, with: client(ScriptedTransport { _, _ in .nothing }))
        let transport = ScriptedTransport()
        let next = client(transport) { $0.delay = 0.05 }
        await Self.wait { transport.acknowledged.count == 3 }
        #expect(transport.acknowledged == ids)
        withExtendedLifetime(next) {}
    }

    @Test(arguments: [401, 403]) func `events are kept until the next start if the key is refused`(status: Int)
        async throws
    {
        let transport = ScriptedTransport { _, _ in .status(status) }
        let client = client(transport)
        let ids = try await record(2, with: client)
        #expect(await client.flush() == .keyRefused)
        #expect(await client.flush() == .keyRefused)
        #expect(transport.posts.count == 1, "not asked again")
        let later = ScriptedTransport()
        #expect(await self.client(later).flush() == .completed)
        #expect(later.acknowledged == ids)
    }

    @Test
    func `a batch that is too large is halved until it fits, and an event that is too large by itself is dropped`()
        async throws
    {
        let transport = ScriptedTransport { post, _ in
            let isUnreadable = post.events.contains { $0.notificationID == "n5" }
            return post.events.count > 3 || isUnreadable ? .problem(413) : .accept
        }
        let client = client(transport)
        let ids = try await record(16, with: client)
        #expect(await client.flush() == .completed)
        #expect(transport.acknowledged.count == 15 && Set(transport.acknowledged) == Set(ids).subtracting([ids[5]]))
        #expect(await client.counts.dropped == [.refused: 1])
        // The next event reports the loss.
        try await client.record(.appOpened)
        #expect(await client.flush() == .completed)
        let reported = transport.posts.last?.events.first?.properties
        #expect(reported == ["afterpush_dropped": .object(["refused": .number(1)])])
    }

    @Test(arguments: [400, 413, 415])
    func `no event is dropped while something other than a collector refuses every request`(status: Int) async throws {
        let portal = ScriptedTransport { _, _ in .text(status, "<html>Sign in</html>") }
        let client = client(portal)
        let ids = try await record(4, with: client)
        #expect(await client.flush() == .waiting)
        #expect(await client.flush() == .waiting)
        #expect(await client.counts.dropped.isEmpty)
        let collector = ScriptedTransport()
        #expect(await self.client(collector).flush() == .completed)
        #expect(collector.acknowledged == ids)
    }

    @Test func `the client waits as long as Retry-After asks`() async throws {
        let transport = ScriptedTransport { _, number in
            number == 1 ? .status(503, headers: ["retry-after": "1"]) : .accept
        }
        let client = client(transport)
        _ = try await record(1, with: client)
        let start = ContinuousClock.now
        #expect(await client.flush(within: 30) == .completed)
        #expect(ContinuousClock.now - start >= .milliseconds(950))
        #expect(transport.posts.count == 2)
    }

    @Test func `flush returns within its time limit, whatever the collector does`() async throws {
        let transport = ScriptedTransport { _, _ in .status(429, headers: ["retry-after": "60"]) }
        let client = client(transport)
        _ = try await record(1, with: client)
        let start = ContinuousClock.now
        #expect(await client.flush(within: 5) == .waiting)
        #expect(await client.flush(within: 5) == .waiting)
        #expect(ContinuousClock.now - start < .seconds(5))
        #expect(transport.posts.count == 1)
    }

    @Test func `events are kept for the next attempt after a 500 response`() async throws {
        let transport = ScriptedTransport { _, number in number <= 2 ? .status(500) : .accept }
        let client = client(transport)
        let ids = try await record(2, with: client)
        #expect(await client.flush() == .waiting)
        #expect(await client.flush() == .waiting)
        #expect(transport.posts.count == 2)
        #expect(await client.flush() == .completed)
        #expect(transport.acknowledged == ids)
    }

    @Test func `an event is sent with the same content on every attempt`() async throws {
        let transport = ScriptedTransport { _, number in number <= 3 ? .nothing : .accept }
        let client = client(transport)
        try await client.record(.action("book", Sample.notification))
        #expect(await client.flush() == .completed)
        #expect(transport.posts.count == 4)
        #expect(Set(transport.posts.map(\.events)).count == 1)
    }

    @Test func `rejected events are removed and counted by code`() async throws {
        let response = """
            {"accepted":0,"duplicates":0,"durability":"committed","rejected":[\
            {"index":0,"event_id":null,"code":"field_missing","detail":""}]}
            """
        let transport = ScriptedTransport { _, _ in .text(422, response) }
        let client = client(transport)
        _ = try await record(1, with: client)
        #expect(await client.flush() == .completed)
        #expect(await client.counts.rejected == ["field_missing": 1])
    }

    @Test func `nothing is recorded or sent after the user opts out`() async throws {
        let transport = ScriptedTransport()
        let client = client(transport)
        _ = try await record(2, with: client)
        try await client.optOut()
        #expect(client.isOptedOut)
        #expect(try await client.record(.appOpened) == nil)
        #expect(await client.flush() == .completed)
        #expect(transport.posts.isEmpty)
        try await client.optIn()
        _ = try await record(1, with: client)
        #expect(await client.flush() == .completed)
        #expect(transport.acknowledged.count == 1)
    }

    @Test func `a new device id is used in all processes after opting out and in`() async throws {
        let transport = ScriptedTransport()
        let clients = (0..<2).map { _ in client(transport) { $0.deviceID = nil } }
        for client in clients { try await client.record(.appOpened) }
        #expect(await clients[0].flush() == .completed)
        try await clients[0].optOut()
        try await clients[0].optIn()
        for client in clients.reversed() { try await client.record(.appOpened) }
        #expect(await clients[0].flush() == .completed)
        let ids = transport.posts.flatMap(\.events).map(\.deviceID)
        #expect(ids.count == 4 && Set(ids).count == 2 && ids[0] != ids[3] && ids[2] == ids[3])
    }

    @Test func `opting in does not bring back what was known before opting out`() async throws {
        let client = client(ScriptedTransport())
        try await client.recordPermission(isGranted: true)
        // A process was killed right after it had written the decision.
        try Data().write(to: URL(fileURLWithPath: directory.location.optOut))
        try await client.optIn()
        #expect(try await client.recordPermission(isGranted: true) != nil, "recorded as if for the first time")
    }

    @Test func `all processes use the same random device id if the app passes none`() async throws {
        let transport = ScriptedTransport()
        let clients = (0..<8).map { _ in client(transport) { $0.deviceID = nil } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { try await client.record(.appOpened) } }
            try await group.waitForAll()
        }
        #expect(await clients[0].flush() == .completed)
        let ids = transport.posts.flatMap(\.events).map(\.deviceID)
        #expect(ids.count == 8 && Set(ids).count == 1 && UUID(uuidString: ids[0] ?? "") != nil)
    }

    @Test func `two clients that flush at the same time send each event once`() async throws {
        let transport = ScriptedTransport()
        let clients = [client(transport) { $0.batchEvents = 5 }, client(transport) { $0.batchEvents = 5 }]
        var ids: [UUID] = []
        for client in clients { ids += try await record(30, with: client) }
        await withTaskGroup(of: Void.self) { group in
            for client in clients { group.addTask { #expect(await client.flush() == .completed) } }
        }
        #expect(transport.acknowledged.count == 60 && Set(transport.acknowledged) == Set(ids))
    }

    private static func wait(_ condition: () -> Bool) async {
        for _ in 0..<2_000 where !condition() { try? await Task.sleep(for: .milliseconds(10)) }
    }
}
