import Events
import Synchronization
import Testing

@testable import Ingest

@Suite struct APIKeyCacheTests {
    private struct Unavailable: Error {}

    /// A database with one key that can be revoked, that can be down and counts its queries.
    private final class Source: Sendable {
        let state = Mutex((isValid: true, isDown: false, queries: 0))

        @Sendable func find(_ hash: [UInt8]) async throws -> APIKeyGrant? {
            try state.withLock { state in
                state.queries += 1
                if state.isDown { throw Unavailable() }
                let isKey = hash == APIKeyCache.hash(of: "key")
                return isKey && state.isValid ? APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest) : nil
            }
        }
    }

    @Test func `a key is queried once while it is fresh, whether valid or not`() async throws {
        let source = Source()
        let cache = APIKeyCache(freshness: .seconds(60), find: source.find)
        for _ in 0..<3 {
            #expect(try await cache.grant(for: "key")?.appName == "shop")
            #expect(try await cache.grant(for: "no key") == nil)
        }
        #expect(source.state.withLock { $0.queries } == 2)
    }

    @Test func `a revoked key is accepted only while it is fresh`() async throws {
        let source = Source()
        let cache = APIKeyCache(freshness: .zero, find: source.find)
        #expect(try await cache.grant(for: "key") != nil)
        source.state.withLock { $0.isValid = false }
        #expect(try await cache.grant(for: "key") == nil)
    }

    @Test func `a cached key remains valid while the database is down, and an unknown one is an error`() async throws {
        let source = Source()
        let cache = APIKeyCache(freshness: .zero, find: source.find)
        #expect(try await cache.grant(for: "key") != nil)
        source.state.withLock { $0.isDown = true }
        #expect(try await cache.grant(for: "key") != nil)
        await #expect(throws: Unavailable.self) { try await cache.grant(for: "other") }
        let strict = APIKeyCache(freshness: .zero, maximumStaleness: .zero, find: source.find)
        await #expect(throws: Unavailable.self) { try await strict.grant(for: "key") }
    }

    @Test func `unknown keys do not fill the cache`() async throws {
        let source = Source()
        let cache = APIKeyCache(freshness: .seconds(60), capacity: 10, find: source.find)
        for number in 0..<100 { #expect(try await cache.grant(for: "made up \(number)") == nil) }
        #expect(try await cache.grant(for: "key") != nil)
    }

    @Test func `unknown keys do not evict valid ones`() async throws {
        let source = Source()
        let cache = APIKeyCache(freshness: .seconds(60), capacity: 10, find: source.find)
        #expect(try await cache.grant(for: "key") != nil)
        for number in 0..<100 { #expect(try await cache.grant(for: "made up \(number)") == nil) }
        source.state.withLock { $0.isDown = true }
        #expect(try await cache.grant(for: "key") != nil)
        #expect(cache.knows("key"))
        #expect(!cache.knows("made up 99"))
    }

    @Test func `one request refreshes a stale key while others still use it`() {
        var state = APIKeyCacheState(freshness: .seconds(1), maximumStaleness: .seconds(60), capacity: 10)
        let grant = APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest)
        let start = ContinuousClock.now
        #expect(state.lookUp([1], at: start) == .query(else: nil))
        state.remember(grant, [1], at: start)
        #expect(state.lookUp([1], at: start + .milliseconds(900)) == .cached(grant))
        #expect(state.lookUp([1], at: start + .milliseconds(1_100)) == .query(else: grant))
        #expect(state.lookUp([1], at: start + .milliseconds(1_200)) == .cached(grant))
        // Without a result, another request queries.
        #expect(state.lookUp([1], at: start + .milliseconds(2_200)) == .query(else: grant))
        state.remember(nil, [1], at: start + .milliseconds(2_300))
        #expect(state.lookUp([1], at: start + .milliseconds(2_400)) == .cached(nil))
    }
}
