import Events
import Synchronization
import Testing

@testable import Ingest

@Suite struct APIKeyCacheTests {
    private struct Unavailable: Error {}

    /// A database with one key that can be revoked, that can be down and counts its queries.
    private final class Source: Sendable {
        let state = Mutex((isValid: true, isDown: false, queries: 0))

        @Sendable func find(_ hashes: [[UInt8]], of app: Int32?) async throws -> [[UInt8]: APIKeyGrant] {
            try state.withLock { state in
                state.queries += 1
                if state.isDown { throw Unavailable() }
                let key = APIKeyCache.hash(of: "key")
                guard hashes.contains(key), state.isValid else { return [:] }
                return [key: APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest)]
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
    }

    @Test func `several keys are looked up by one query`() async throws {
        let source = Source()
        let cache = APIKeyCache(freshness: .seconds(60), find: source.find)
        let hashes = ["key", "made up 1", "made up 2"].map { APIKeyCache.hash(of: $0) }
        #expect(try await cache.grants(of: hashes).keys.elementsEqual([hashes[0]]))
        for key in ["key", "made up 1"] { _ = try await cache.grant(for: key) }
        #expect(source.state.withLock { $0.queries } == 1)
    }

    @Test func `a key that was valid long ago is not taken for a made-up one, unless it was found invalid since`() {
        var state = APIKeyCacheState(freshness: .seconds(1), maximumStaleness: .seconds(60), capacity: 10)
        let grant = APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest)
        let start = ContinuousClock.now
        #expect(state.lookUp([1], at: start) == .neverVerified)
        state.remember(grant, [1], at: start)
        // Far beyond the time in which it is accepted without a query.
        let later = start + .seconds(100_000)
        #expect(state.lookUp([1], at: later) == .query(else: nil))
        #expect(state.lookUp([2], at: later) == .neverVerified)
        state.remember(nil, [1], at: later)
        #expect(state.lookUp([1], at: later) == .cached(nil))
        #expect(state.lookUp([1], at: later + .seconds(2)) == .neverVerified)
    }

    private func grant(of app: Int32) -> APIKeyGrant {
        APIKeyGrant(keyID: 1, appID: app, appName: "app \(app)", scope: .ingest)
    }

    private func hash(_ app: UInt8, _ number: Int) -> [UInt8] {
        [app, UInt8(number >> 8), UInt8(number & 0xFF)]
    }

    @Test func `an app with more keys than the cache holds evicts no key of other apps`() {
        var state = APIKeyCacheState(freshness: .seconds(1), maximumStaleness: .seconds(60), capacity: 100)
        let now = ContinuousClock.now
        for app in UInt8(2)...9 {
            for number in 0..<5 { state.remember(grant(of: Int32(app)), hash(app, number), at: now) }
        }
        for number in 0..<1_000 { state.remember(grant(of: 1), hash(1, number), at: now) }
        for app in UInt8(2)...9 {
            for number in 0..<5 {
                #expect(state.lookUp(hash(app, number), at: now) == .cached(grant(of: Int32(app))))
            }
        }
        for number in 0..<1_000 {
            let isCached = state.lookUp(hash(1, number), at: now) == .cached(grant(of: 1))
            #expect(isCached == (number >= 940))
        }
        // The others take places of the app that has most.
        for number in 5..<25 { state.remember(grant(of: 2), hash(2, number), at: now) }
        for number in 0..<25 { #expect(state.lookUp(hash(2, number), at: now) == .cached(grant(of: 2))) }
        #expect(state.lookUp(hash(1, 959), at: now) == .neverVerified)
        #expect(state.lookUp(hash(3, 0), at: now) == .cached(grant(of: 3)))
    }

    @Test func `a key that was found again stays longer in a full cache, and revoked ones leave room`() {
        var state = APIKeyCacheState(freshness: .seconds(1), maximumStaleness: .seconds(60), capacity: 10)
        let now = ContinuousClock.now
        for number in 0..<10 { state.remember(grant(of: 1), hash(1, number), at: now) }
        // Often enough that its former places are forgotten.
        for _ in 0..<100 { state.remember(grant(of: 1), hash(1, 0), at: now) }
        state.remember(grant(of: 1), hash(1, 10), at: now)
        #expect(state.lookUp(hash(1, 1), at: now) == .neverVerified)
        state.remember(nil, hash(1, 2), at: now)
        state.remember(grant(of: 2), hash(2, 0), at: now)
        for number in [0, 3, 4, 5, 6, 7, 8, 9, 10] {
            #expect(state.lookUp(hash(1, number), at: now) == .cached(grant(of: 1)))
        }
        state.remember(grant(of: 2), hash(2, 1), at: now)
        #expect(state.lookUp(hash(1, 3), at: now) == .neverVerified)
        #expect(state.lookUp(hash(1, 0), at: now) == .cached(grant(of: 1)))
    }

    @Test func `one request refreshes a stale key while others still use it`() {
        var state = APIKeyCacheState(freshness: .seconds(1), maximumStaleness: .seconds(60), capacity: 10)
        let grant = APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest)
        let start = ContinuousClock.now
        #expect(state.lookUp([1], at: start) == .neverVerified)
        state.remember(grant, [1], at: start)
        #expect(state.lookUp([1], at: start + .milliseconds(900)) == .cached(grant))
        #expect(state.lookUp([1], at: start + .milliseconds(1_100)) == .query(else: grant))
        #expect(state.lookUp([1], at: start + .milliseconds(1_200)) == .cached(grant))
        // Without a result, another request queries.
        #expect(state.lookUp([1], at: start + .milliseconds(2_200)) == .query(else: grant))
        state.remember(nil, [1], at: start + .milliseconds(2_300))
        #expect(state.lookUp([1], at: start + .milliseconds(2_400)) == .cached(nil))
    }

    @Test func `a key that was not looked up for long is not accepted before a query has ended`() {
        var state = APIKeyCacheState(freshness: .seconds(1), maximumStaleness: .seconds(60), capacity: 10)
        let grant = APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest)
        let start = ContinuousClock.now
        state.remember(grant, [1], at: start)
        #expect(state.lookUp([1], at: start + .milliseconds(30_000)) == .query(else: grant))
        #expect(state.lookUp([1], at: start + .milliseconds(30_010)) == .confirm(else: grant))
        // While the database is down, queries fail, but there are some.
        #expect(state.lookUp([1], at: start + .milliseconds(31_100)) == .query(else: grant))
        #expect(state.lookUp([1], at: start + .milliseconds(31_200)) == .cached(grant))
        state.remember(grant, [1], at: start + .milliseconds(31_300))
        #expect(state.lookUp([1], at: start + .milliseconds(31_400)) == .cached(grant))
    }

    @Test func `after a pause, a revoked key is not accepted while a query is under way, unless the database is down`()
        async throws
    {
        let (gate, open) = AsyncStream<Void>.makeStream()
        let queries = Mutex(0)
        let cache = APIKeyCache(freshness: .seconds(2)) { hashes, _ in
            let number = queries.withLock { queries in
                queries += 1
                return queries
            }
            if number == 1 { return [hashes[0]: APIKeyGrant(keyID: 1, appID: 1, appName: "shop", scope: .ingest)] }
            // A third query means that the machine was too slow for this test. It must not wait for the end of the test.
            if number == 2 { for await _ in gate {} }
            return [:]
        }
        #expect(try await cache.grant(for: "key") != nil)
        try await Task.sleep(for: .milliseconds(4_100))
        async let first = cache.grant(for: "key") { _ in nil }
        while queries.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try await cache.grant(for: "key") { _ in nil } == nil)
        #expect(try await cache.grant(for: "key") { _ in throw Unavailable() } != nil)
        open.finish()
        #expect(try await first == nil)
    }
}

extension APIKeyCache {
    fileprivate func grant(for key: String) async throws -> APIKeyGrant? {
        try await grant(for: key) { hash in try await grants(of: [hash])[hash] }
    }
}
