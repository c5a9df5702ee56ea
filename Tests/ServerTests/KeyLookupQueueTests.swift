import Events
import Ingest
import SeededRandom
import Shares
import Synchronization
import Testing

@testable import HTTPTransport
@testable import Server

/// Tests how keys that were never found valid are looked up.
struct KeyLookupQueueTests {
    private static func address(_ number: Int) -> ClientAddress { ClientAddress(v4: UInt32(number)) }

    private static func hash(_ number: Int) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    @Test func `addresses take turns, so one that sends many keys doesn't delay another`() throws {
        var queue = KeyLookupQueue<Int>(batchSize: 4, capacity: 100)
        for number in 0..<50 { try queue.add(Self.hash(number), number, from: Self.address(1)) }
        try queue.add(Self.hash(100), 100, from: Self.address(2))
        try queue.add(Self.hash(101), 101, from: Self.address(2))
        #expect(queue.nextBatch() == [0, 100, 1, 101].map(Self.hash))
        #expect(queue.nextBatch() == [2, 3, 4, 5].map(Self.hash))
    }

    @Test func `requests with the same key wait for one lookup`() throws {
        var queue = KeyLookupQueue<Int>()
        for number in 0..<3 { try queue.add(Self.hash(1), number, from: Self.address(number)) }
        #expect(queue.nextBatch() == [Self.hash(1)])
        try queue.add(Self.hash(1), 3, from: Self.address(9))
        #expect(queue.nextBatch() == [])
        #expect(queue.finish(Self.hash(1)) == [0, 1, 2, 3])
        #expect(queue.count == 0)
        try queue.add(Self.hash(1), 4, from: Self.address(1))
        #expect(queue.nextBatch() == [Self.hash(1)])
    }

    @Test func `an address, or a /56 of IPv6, can have half of the places, and an exempt one all of them`() throws {
        var queue = KeyLookupQueue<Int>()
        for number in 0..<1_024 {
            let address = try #require(ClientAddress(text: "2001:db8:0:\(number % 8)::\(number)"))
            try queue.add(Self.hash(number), number, from: address)
        }
        let neighbor = try #require(ClientAddress(text: "2001:db8:0:ff::1"))
        #expect(throws: FairShares<ClientAddress>.Refusal.share(of: neighbor.subscriber)) {
            try queue.add(Self.hash(5_000), 5_000, from: neighbor)
        }
        try queue.add(Self.hash(5_000), 5_000, from: Self.address(1))
        for number in 5_001..<6_024 { try queue.add(Self.hash(number), number, from: Self.address(2), isExempt: true) }
        #expect(throws: FairShares<ClientAddress>.Refusal.full) {
            try queue.add(Self.hash(7_000), 7_000, from: Self.address(3), isExempt: true)
        }
    }

    @Test(arguments: 0..<20)
    func `each request is answered exactly once, whatever comes in which order`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var queue = KeyLookupQueue<Int>(batchSize: random.number(1...8), capacity: 40)
        var waiting: [Int: [UInt8]] = [:]
        var isLookedUp: Set<[UInt8]> = []
        for number in 0..<2_000 {
            if random.happens(percent: 65) {
                let hash = Self.hash(random.number(0...60))
                let address = Self.address(random.number(0...4))
                do {
                    try queue.add(hash, number, from: address, isExempt: address == Self.address(0))
                    waiting[number] = hash
                } catch {
                    #expect(waiting.count >= 20, "nobody is refused while half is free")
                }
            } else if random.happens(percent: 50) || isLookedUp.isEmpty {
                let batch = queue.nextBatch()
                #expect(Set(batch).count == batch.count && isLookedUp.isDisjoint(with: batch))
                #expect(batch.allSatisfy { waiting.values.contains($0) })
                isLookedUp.formUnion(batch)
            } else if random.happens(percent: 5) {
                #expect(queue.finishAll().sorted() == waiting.keys.sorted())
                waiting = [:]
                isLookedUp = []
            } else if let hash = random.one(in: isLookedUp.sorted { $0.lexicographicallyPrecedes($1) }) {
                let finished = queue.finish(hash)
                #expect(finished.sorted() == waiting.filter { $0.value == hash }.keys.sorted())
                for number in finished { waiting[number] = nil }
                isLookedUp.remove(hash)
            }
            #expect(queue.count == waiting.count && queue.count <= 40)
        }
        while !waiting.isEmpty {
            let batch = queue.nextBatch() + isLookedUp
            isLookedUp = []
            #expect(!batch.isEmpty)
            guard !batch.isEmpty else { return }
            for number in batch.flatMap({ queue.finish($0) }) { waiting[number] = nil }
        }
        #expect(queue.count == 0 && queue.nextBatch().isEmpty)
    }

    /// A database with one key, whose queries take a while.
    private final class Source: Sendable {
        let queries = Mutex<[Int]>([])

        @Sendable func find(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: APIKeyGrant] {
            queries.withLock { $0.append(hashes.count) }
            try await Task.sleep(for: .milliseconds(10))
            let key = APIKeyCache.hash(of: "key")
            return hashes.contains(key) ? [key: APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .read)] : [:]
        }
    }

    @Test func `a valid key passes while a thousand made-up ones of its address wait`() async throws {
        let source = Source()
        let lookups = KeyLookups(APIKeyCache(find: source.find))
        try await withThrowingTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    let grant = try await lookups.grant(
                        APIKeyCache.hash(of: "\(number)"), from: Self.address(1), isExempt: false)
                    #expect(grant == nil)
                }
            }
            let grant = try await lookups.grant(
                APIKeyCache.hash(of: "key"), from: Self.address(1), isExempt: false)
            #expect(grant?.appName == "shop")
            try await group.waitForAll()
        }
        let queries = source.queries.withLock { $0 }
        #expect(queries.reduce(0, +) == 1_001 && queries.count < 40, "\(queries)")
        #expect(queries.allSatisfy { $0 <= 64 })
    }

    @Test func `a query that fails ends all waiting lookups`() async {
        let (failure, fail) = AsyncStream.makeStream(of: Void.self)
        let queries = Mutex(0)
        let lookups = KeyLookups(
            APIKeyCache(find: { _, _ in
                queries.withLock { $0 += 1 }
                for await _ in failure {}
                throw CancellationError()
            }))
        await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    await #expect(throws: CancellationError.self) {
                        try await lookups.grant(
                            APIKeyCache.hash(of: "\(number)"), from: Self.address(number), isExempt: true)
                    }
                }
            }
            while await lookups.waiting < 1_000 { await Task.yield() }
            fail.finish()
        }
        #expect(queries.withLock { $0 } == 1)
    }
}
