/// Lets a line that is said again and again through once in a while, with how often it was left out: decided without
/// a clock.
package struct RepeatFilter: Sendable {
    package enum Action: Equatable, Sendable {
        /// - Parameter leftOut: since it was last written.
        case write(leftOut: Int)
        case leaveOut
    }

    private struct Entry {
        var writtenAt: ContinuousClock.Instant
        var leftOut = 0
    }

    private let pause: Duration
    private let capacity: Int
    private var entries: [String: Entry] = [:]

    /// - Parameters:
    ///   - pause: between two lines that say the same.
    ///   - capacity: different lines that are remembered.
    package init(pause: Duration = .seconds(10), capacity: Int = 200) {
        self.pause = pause
        self.capacity = capacity
    }

    /// - Parameter text: what the line says, without what differs each time, such as a request's id.
    package mutating func add(_ text: String, at now: ContinuousClock.Instant) -> Action {
        guard let entry = entries[text] else {
            if entries.count >= capacity { forget(at: now) }
            entries[text] = Entry(writtenAt: now)
            return .write(leftOut: 0)
        }
        guard entry.writtenAt.duration(to: now) >= pause else {
            entries[text]?.leftOut += 1
            return .leaveOut
        }
        entries[text] = Entry(writtenAt: now)
        return .write(leftOut: entry.leftOut)
    }

    /// Those that were not said for a while; if that is not enough, all.
    private mutating func forget(at now: ContinuousClock.Instant) {
        entries = entries.filter { $0.value.writtenAt.duration(to: now) < pause }
        if entries.count >= capacity { entries.removeAll() }
    }
}
