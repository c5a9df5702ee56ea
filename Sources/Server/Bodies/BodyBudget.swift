import Synchronization

/// The bytes of all bodies that are held at the moment, bounded: many slow senders must not fill the memory.
final class BodyBudget: Sendable {
    private let limit: Int
    private let held = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves bytes until `release`; returns false if the budget does not have them.
    func take(_ count: Int) -> Bool {
        held.withLock { held in
            guard held + count <= limit else { return false }
            held += count
            return true
        }
    }

    func release(_ count: Int) {
        held.withLock { $0 -= count }
    }
}
