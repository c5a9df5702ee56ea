/// A filter that suppresses repetitions of a line for a while, and counts them. It reads no clock.
package struct RepeatFilter: Sendable {
    package enum Action: Equatable, Sendable {
        /// The line is to be written, with the number of repetitions that were suppressed since it was last written.
        case write(suppressed: Int)
        case suppress
    }

    private struct Entry {
        var writtenAt: ContinuousClock.Instant
        var suppressed = 0
    }

    private let pause: Duration
    private let capacity: Int
    private var entries: [String: Entry] = [:]

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - pause: The time after which a repeated line is written again.
    ///   - capacity: The number of different lines that are remembered.
    package init(pause: Duration = .seconds(10), capacity: Int = 200) {
        self.pause = pause
        self.capacity = capacity
    }

    /// Decides whether to write a line.
    ///
    /// - Parameter text: The line without the parts that always differ, such as the id of a request.
    package mutating func add(_ text: String, at now: ContinuousClock.Instant) -> Action {
        guard let entry = entries[text] else {
            if entries.count >= capacity { forget(at: now) }
            entries[text] = Entry(writtenAt: now)
            return .write(suppressed: 0)
        }
        guard entry.writtenAt.duration(to: now) >= pause else {
            entries[text]?.suppressed += 1
            return .suppress
        }
        entries[text] = Entry(writtenAt: now)
        return .write(suppressed: entry.suppressed)
    }

    /// Forgets the lines whose pause is over, or all lines if there are none.
    private mutating func forget(at now: ContinuousClock.Instant) {
        entries = entries.filter { $0.value.writtenAt.duration(to: now) < pause }
        if entries.count >= capacity { entries.removeAll() }
    }
}
