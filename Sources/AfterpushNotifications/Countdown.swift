import AfterpushClient

/// Does something once, when as many others are done as it waits for.
final class Countdown: Sendable {
    private let left: Locked<Int>
    private let action: @Sendable () -> Void

    init(_ count: Int, _ action: @escaping @Sendable () -> Void) {
        left = Locked(count)
        self.action = action
    }

    func count() {
        let isLast = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { action() }
    }
}
