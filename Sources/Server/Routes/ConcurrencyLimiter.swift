import Synchronization

/// A limit on the concurrent responses of one kind, each of which holds memory until its client has read it.
final class ConcurrencyLimiter: Sendable {
    private let free: Mutex<Int>

    init(_ count: Int) {
        free = Mutex(count)
    }

    /// Returns a slot, or `nil` if all are in use.
    func acquire() -> Permit? {
        let isTaken = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        return isTaken ? Permit(self) : nil
    }

    /// A slot, released at the latest with its last reference, because the body of a response may never be read.
    final class Permit: Sendable {
        private let limiter: ConcurrencyLimiter
        private let isHeld = Mutex(true)

        fileprivate init(_ limiter: ConcurrencyLimiter) {
            self.limiter = limiter
        }

        deinit { release() }

        func release() {
            let wasHeld = isHeld.withLock { held in
                defer { held = false }
                return held
            }
            if wasHeld { limiter.free.withLock { $0 += 1 } }
        }
    }
}
