/// Decides how many events are merged in one transaction, without a clock or a database.
///
/// The limit is halved after a failed run, whether it took too long or has a batch that can't be merged. So the other
/// batches are merged, and finally the invalid batch is alone and the error names it.
struct MergePlan {
    /// The approximate number of events to merge in one transaction.
    private(set) var limit: Int
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
        limit = maximum
    }

    mutating func succeeded() {
        limit = min(maximum, limit * 2)
    }

    mutating func failed() {
        limit = max(1, limit / 2)
    }

    mutating func reduce(to events: Int) {
        limit = max(1, min(limit, events))
    }
}

/// What a run of merges may cost.
enum MergeCost {
    /// The longest time limit of a run. PostgreSQL's reply is waited for a little longer.
    static let longestTimeout: Duration = .seconds(60)
    /// What an event takes at most that is merged as usual: a multiple of the 20 to 60 us on a small machine.
    static let usualEvent: Duration = .microseconds(200)

    /// Whether a run took longer than its events explain.
    static func isSlow(_ events: Int, in duration: Duration) -> Bool {
        duration > .seconds(2) && duration > usualEvent * events
    }

    /// The time limit of a run, which is doubled after each failure: it may be the machine that is slow.
    static func timeout(_ first: Duration, failures: Int) -> Duration {
        min(longestTimeout, first * (1 << min(failures, 5)))
    }
}
