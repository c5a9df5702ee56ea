/// How many entries are replayed together, and which one is given up: decided without clock or database.
///
/// A group that PostgreSQL does not take while it takes others is halved until the entry that is to blame is alone.
struct DrainPlan {
    enum Failure {
        /// PostgreSQL takes no groups at all.
        case away
        /// It does, but not this one, for now.
        case group
        /// It does, and will never take this one.
        case refused
    }

    enum Action: Equatable {
        case wait(Duration)
        /// Fewer of them, at once.
        case again
        /// The one entry.
        case setAside
    }

    /// Failures of one entry, alone, while PostgreSQL takes others, at which it is given up; with the pauses between them
    /// that takes a minute at least.
    static let attempts = 8
    private static let longestPause: Duration = .seconds(30)

    /// Entries to replay together at most.
    private(set) var limit = 1_000
    private var failures = 0
    private let most = 1_000

    mutating func recordSuccess() {
        failures = 0
        limit = min(most, limit * 2)
    }

    /// - Parameter entries: how many there were in the group.
    mutating func recordFailure(_ failure: Failure, entries: Int) -> Action {
        switch failure {
        case .away:
            return .wait(.zero)
        case _ where entries > 1:
            limit = max(1, entries / 2)
            return .again
        case .refused:
            failures = 0
            return .setAside
        case .group:
            failures += 1
            guard failures < Self.attempts else {
                failures = 0
                return .setAside
            }
            return .wait(min(Self.longestPause, .milliseconds(500) * (1 << failures)))
        }
    }
}
