import Synchronization
import Testing

@testable import Receipts

@Suite struct ReceiptSecretCacheTests {
    private struct Unavailable: Error {}

    /// A database with one app's secrets that can be down and counts its queries.
    private final class Source: Sendable {
        let state = Mutex((secrets: [ReceiptMaker.secret], isDown: false, queries: 0))

        @Sendable func find(_ app: Int32) async throws -> [[UInt8]] {
            try state.withLock { state in
                state.queries += 1
                if state.isDown { throw Unavailable() }
                return app == 1 ? state.secrets : []
            }
        }
    }

    private func accepts(_ cache: ReceiptSecretCache, app: Int32 = 1, secret: [UInt8]) async throws -> Bool {
        let token = try ReceiptToken(Array(ReceiptMaker.receipt(secret: secret).utf8))
        return try await cache.secrets(ofApp: app).contains { $0.hasSigned(token) }
    }

    @Test func `secrets, or their absence, are queried once while they are fresh`() async throws {
        let source = Source()
        let cache = ReceiptSecretCache(freshness: .seconds(60), find: source.find)
        for _ in 0..<3 {
            #expect(try await accepts(cache, secret: ReceiptMaker.secret))
            #expect(try await cache.secrets(ofApp: 2).isEmpty)
        }
        #expect(source.state.withLock { $0.queries } == 2)
    }

    @Test func `rotated and retired secrets are noticed when the cache entry is stale`() async throws {
        let source = Source()
        let cache = ReceiptSecretCache(freshness: .zero, find: source.find)
        let next = Array(ReceiptMaker.secret.reversed())
        #expect(try await !accepts(cache, secret: next))
        source.state.withLock { $0.secrets = [next, ReceiptMaker.secret] }
        #expect(try await accepts(cache, secret: next))
        #expect(try await accepts(cache, secret: ReceiptMaker.secret))
        source.state.withLock { $0.secrets = [next] }
        #expect(try await !accepts(cache, secret: ReceiptMaker.secret))
        source.state.withLock { $0.secrets = [ReceiptMaker.secret] }
        #expect(try await !accepts(cache, secret: next))
    }

    @Test(.timeLimit(.minutes(1))) func `a refresh by one request does not block others`() async throws {
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let (questions, question) = AsyncStream<Void>.makeStream()
        let queries = Mutex(0)
        let cache = ReceiptSecretCache(freshness: .zero) { _ in
            let number = queries.withLock { queries in
                queries += 1
                return queries
            }
            if number > 1 {
                question.yield()
                for await _ in answers { break }
            }
            return [ReceiptMaker.secret]
        }
        #expect(try await accepts(cache, secret: ReceiptMaker.secret))
        async let held = accepts(cache, secret: ReceiptMaker.secret)
        for await _ in questions { break }
        for _ in 0..<3 { #expect(try await accepts(cache, secret: ReceiptMaker.secret)) }
        answer.yield()
        #expect(try await held)
        #expect(queries.withLock { $0 } == 2)
    }

    @Test func `cached secrets remain valid for an hour while the database is down`() async throws {
        let source = Source()
        let cache = ReceiptSecretCache(freshness: .zero, find: source.find)
        #expect(try await accepts(cache, secret: ReceiptMaker.secret))
        source.state.withLock { $0.isDown = true }
        #expect(try await accepts(cache, secret: ReceiptMaker.secret))
        await #expect(throws: Unavailable.self) { try await cache.secrets(ofApp: 2) }
        let strict = ReceiptSecretCache(freshness: .zero, maximumStaleness: .zero, find: source.find)
        await #expect(throws: Unavailable.self) { try await strict.secrets(ofApp: 1) }
    }
}
