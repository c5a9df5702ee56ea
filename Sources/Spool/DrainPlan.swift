import Backoff
import Timing

/// Decides how many entries to replay together and which entry to set aside, without a clock or a database.
///
/// If PostgreSQL stores other groups but not this one, the group is halved until the failing entry is alone.
struct DrainPlan {
    enum Failure {
        /// A failure while PostgreSQL stores no groups at all.
        case away
        /// A failure to store this group, while PostgreSQL stores others.
        case group
        /// A failure because other transactions lock the names of an app of this group.
        case locked
        /// A failure because the group has more new names than an attempt has time for, some of which were reserved.
        case unfinished
        /// A refusal of this group, which PostgreSQL will never store.
        case refused
    }

    enum Action: Equatable {
        case wait(Duration)
        /// A retry immediately, with fewer entries unless the group got further.
        case again
        /// The only entry of the group is set aside.
        case setAside
    }

    /// The number of failures of a single entry, while PostgreSQL stores others, after which it is set aside. With the
    /// pauses between them this takes at least a minute.
    static let attempts = 8
    /// The same for an entry whose app's names are locked, which is set aside soon, because each attempt waits for the
    /// lock while the entries of other apps wait.
    static let attemptsIfLocked = 3
    private let backoff = ExponentialBackoff(first: 1, limit: 30, jitter: 0)

    /// The maximum number of entries to replay together.
    private(set) var limit = 1_000
    private var failures = 0
    private let maximumLimit = 1_000

    mutating func recordSuccess() {
        failures = 0
        limit = min(maximumLimit, limit * 2)
    }

    /// Records that a group was not stored, and decides what to do.
    ///
    /// - Parameter entries: The number of entries in the group.
    mutating func recordFailure(_ failure: Failure, entries: Int) -> Action {
        switch failure {
        case .away:
            return .wait(.zero)
        case .unfinished:
            // Each attempt has fewer names left, so the last one has none.
            failures = 0
            return .again
        case _ where entries > 1:
            limit = max(1, entries / 2)
            return .again
        case .refused:
            failures = 0
            return .setAside
        case .group, .locked:
            failures += 1
            guard failures < (failure == .locked ? Self.attemptsIfLocked : Self.attempts) else {
                failures = 0
                return .setAside
            }
            return .wait(.pause(backoff, after: failures, random: 1))
        }
    }
}
