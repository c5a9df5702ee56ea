package import Ingest
import Shares
import Synchronization

/// The shares of the spool, so that no app, key or address can fill it while PostgreSQL is away.
///
/// They are those of `FairShareLimiter.events`, with 3/4 for a key, because many collectors have only one app.
/// What a client has spooled counts until the spool is empty. What an earlier collector left isn't counted.
package final class SpoolShares: Sendable {
    /// What an address can have even if others use most of its key's share: the events of about a hundred responses.
    private static let smallPart = 64 * 1024

    private let capacity: Int
    private let largest: Int
    private let size: @Sendable (PendingSubmission) -> Int
    private let isSpooling: @Sendable () -> Bool
    /// Replaced once the spool is empty, so that a permit which is released later changes nothing.
    private let limiter: Mutex<FairShareLimiter>

    /// Creates shares of which nothing is used.
    ///
    /// - Parameters:
    ///   - capacity: the size of the spool in bytes.
    ///   - largestBody: the size of the largest body. No share is smaller than what it takes.
    ///   - size: how many bytes of the spool a request takes.
    ///   - isSpooling: whether events go to the spool now.
    package init(
        capacity: Int, largestBody: Int, size: @escaping @Sendable (PendingSubmission) -> Int,
        isSpooling: @escaping @Sendable () -> Bool
    ) {
        self.capacity = capacity
        // The spool keeps the values of an event as well as its text.
        largest = 2 * largestBody
        self.size = size
        self.isSpooling = isSpooling
        limiter = Mutex(Self.limiter(capacity, 2 * largestBody))
    }

    /// Notes that the spool is empty, so that all of it is free again.
    package func reset() {
        limiter.withLock { limiter in
            if limiter.used > 0 { limiter = Self.limiter(capacity, largest) }
        }
    }

    /// Reserves room for a request, or returns `nil` if events don't go to the spool.
    func reserve(
        _ request: PendingSubmission, for client: ResourceClient
    ) throws(FairShareLimiter.Shares.Refusal) -> FairShareLimiter.Permit? {
        guard isSpooling() else { return nil }
        let permit = limiter.withLock { $0 }.permit(for: client)
        try permit.take(size(request))
        return permit
    }

    /// Keeps the room of a request that was spooled.
    ///
    /// - Parameter permit: what was reserved, or `nil` if the request came before events went to the spool.
    func keep(_ permit: FairShareLimiter.Permit?, _ request: PendingSubmission, for client: ResourceClient) {
        if let permit { return permit.keep() }
        let permit = limiter.withLock { $0 }.permit(for: client)
        // It is in the spool, whatever its client's share.
        try? permit.take(size(request))
        permit.keep()
    }

    private static func limiter(_ capacity: Int, _ largest: Int) -> FairShareLimiter {
        .events(capacity, key: capacity / 4 * 3, largest: largest, small: smallPart)
    }
}
