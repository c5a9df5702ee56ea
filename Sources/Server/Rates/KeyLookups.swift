import HTTPTransport
import Ingest
import Shares

/// Looks up the keys that `KeyLookupQueue` lets wait, by one query at a time, and at most one every five milliseconds.
///
/// While nothing waits, a key is looked up immediately.
actor KeyLookups {
    private typealias Waiter = CheckedContinuation<APIKeyGrant?, any Error>

    private static let minimumInterval: Duration = .milliseconds(5)

    nonisolated let cache: APIKeyCache
    private var queue = KeyLookupQueue<Waiter>()
    private var isRunning = false
    private var nextQuery = ContinuousClock.now

    init(_ cache: APIKeyCache) {
        self.cache = cache
    }

    /// The number of waiting requests.
    var waiting: Int { self.queue.count }

    /// Returns what a key grants, or `nil` if it is not valid.
    ///
    /// - Throws: 429 or 503 if too many requests wait for such lookups; the error of the query.
    func grant(_ hash: [UInt8], from address: ClientAddress, isExempt: Bool) async throws -> APIKeyGrant? {
        try await withCheckedThrowingContinuation { waiter in
            do throws(FairShares<ClientAddress>.Refusal) {
                try self.queue.add(hash, waiter, from: address, isExempt: isExempt)
                self.start()
            } catch {
                waiter.resume(throwing: error == .full ? Problem.keysTooMany : Problem.rateLimited(retryAfter: 1))
            }
        }
    }

    private func start() {
        guard !self.isRunning else { return }
        self.isRunning = true
        // Not structured, because it serves the requests of many tasks. It ends when none waits, and all of its queries
        // have a time limit.
        Task { await self.run() }
    }

    private func run() async {
        while self.queue.count > 0 {
            if .now < self.nextQuery { try? await Task.sleep(until: self.nextQuery, clock: .continuous) }
            self.nextQuery = .now + Self.minimumInterval
            let batch = self.queue.nextBatch()
            do {
                let grants = try await self.cache.grants(of: batch)
                for hash in batch {
                    for waiter in self.queue.finish(hash) { waiter.resume(returning: grants[hash]) }
                }
            } catch {
                // The database is unavailable for the others, too, and they would wait for many time limits.
                for waiter in self.queue.finishAll() { waiter.resume(throwing: error) }
            }
        }
        self.isRunning = false
    }
}
