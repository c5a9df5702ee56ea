/// Decides how many events are merged in one transaction, without a clock or a database.
///
/// The limit is halved after a failed run, whether it took too long or has a batch that can't be merged. So the other
/// batches are merged, and finally the invalid batch is alone and the error names it.
struct MergePlan {
    /// The approximate number of events to merge in one transaction.
    private(set) var limit: Int
    private let maximum: Int
    private let first: Int

    /// - Parameter first: The limit of the first run, and of the first one after nothing waited; at most `maximum`.
    init(maximum: Int, first: Int) {
        self.maximum = maximum
        self.first = first
        limit = first
    }

    mutating func succeeded() {
        limit = min(maximum, limit * 2)
    }

    /// Takes a run after which nothing waits. What waits next can cost more than what was merged before.
    mutating func caughtUp() {
        limit = min(first, limit * 2)
    }

    mutating func failed() {
        limit = max(1, limit / 2)
    }

    mutating func reduce(to events: Int) {
        limit = max(1, min(limit, events))
    }
}

/// What a run of merges may cost.
///
/// A machine that is busy makes every run long. So a long run is held against an app only if it also read far more rows
/// than its events need, or took so long that a busy machine does not explain it.
enum MergeCost {
    /// What a run did.
    struct Outcome: Equatable {
        var events: Int
        /// The rows and index entries that it read, if they were counted.
        var reads: Int?
        var duration: Duration
    }

    /// The longest time limit of a run. PostgreSQL's reply is waited for a little longer.
    static let longestTimeout: Duration = .seconds(60)

    /// A run costs as much as so many events, whatever it merges.
    private static let eventsOfRun = 2_500
    /// What an event takes at most on a machine that is not busy: a multiple of the 20 to 60 us on a small one.
    private static let usualEvent: Duration = .microseconds(200)
    /// What an event takes at most on a busy machine. On two processors with 28 processes that want them, it was 0.4 ms.
    private static let longestEvent: Duration = .milliseconds(1)
    /// The rows and index entries that an event needs at most: a multiple of the usual 10 to 20.
    private static let readsOfEvent = 200
    private static let readsOfRun = 200_000

    /// Whether a run of several apps took longer than its events explain on a machine that is not busy.
    static func isLong(_ events: Int, in duration: Duration) -> Bool {
        duration > .seconds(2) && duration > usualEvent * events
    }

    /// Whether a run of one app took long, and the app is the reason.
    static func isSlow(_ run: Outcome) -> Bool {
        readsTooMuch(run) || isLong(run.events, in: run.duration) && isCostly(run)
    }

    /// Whether an app's events cost more than usual, however short the run was.
    static func isCostly(_ run: Outcome) -> Bool {
        hasManyReads(run) || run.duration > longestEvent * (run.events + eventsOfRun)
    }

    /// Whether a run held up others because it read far more than its events need.
    static func readsTooMuch(_ run: Outcome) -> Bool {
        hasManyReads(run) && run.duration > .milliseconds(500)
    }

    private static func hasManyReads(_ run: Outcome) -> Bool {
        run.reads.map { $0 > readsOfRun + readsOfEvent * run.events } ?? false
    }

    /// The time limit of a run, which is doubled after each failure: it may be the machine that is slow.
    static func timeout(_ first: Duration, failures: Int) -> Duration {
        min(longestTimeout, first * (1 << min(failures, 5)))
    }
}
