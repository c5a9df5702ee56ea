/// The numbers that decide when waiting events are stored, and how many at once.
///
/// Each can be switched off by the value in the last column, so that its gain can be measured.
///
/// | property | meaning | off |
/// | --- | --- | --- |
/// | `lanes` | groups stored at the same time, not counting the retry lane | 1 |
/// | `groupSize` | events in a group beyond which no further request joins it | 1 |
/// | `slowBytes` | size of a group's rejected events and new names; a request with more is stored alone | `.max` |
/// | `capacity` | events that can wait; requests beyond it are refused | `.max` |
/// | `queueTimeout` | longest time that a request waits for its group | nil |
/// | `minimumInterval` | time from the start of a group to the next on its lane | `.zero` |
/// | `gracePeriod` | age of the newest group before another lane stores the few events that came since | `.zero` |
/// | `behindCheckInterval` | time between two checks of the rollups' backlog by a paused lane | nil |
/// | `inDoubtPeriod` | how long a failed group's events are remembered for the retry lane (`InDoubtEvents`) | `.zero` |
/// | `retryGrowth` | factor for the group size of the retry lane after a success | 1 |
/// | `retryShrinkage` | divisor for the group size of the retry lane after a failure | 1 |
///
/// The numbers that only affect speed, each switched off in `make bench`, as medians of six pairs in turns on two cores:
///
/// | off | requests of 100 | single events |
/// | --- | --- | --- |
/// | `lanes` | 0.72 of the events per second | 1.08 |
/// | `minimumInterval` | 0.96 | 0.95, with 1.13 of the collector's CPU time per event |
/// | `gracePeriod` | 0.93 | 0.89, with 1.11 of PostgreSQL's CPU time per event |
///
/// The others bound memory and waiting, and keep a failed group's events away from new ones.
package struct GroupCommitPolicy: Sendable {
    package var lanes = 2
    package var groupSize = 5_000
    package var slowBytes = 65_536
    package var capacity = 50_000
    package var queueTimeout: Duration? = .seconds(8)
    package var minimumInterval: Duration = .milliseconds(5)
    package var gracePeriod: Duration = .milliseconds(20)
    /// The interval, or `nil` if no lane pauses while the rollups are behind.
    package var behindCheckInterval: Duration? = .milliseconds(50)
    package var inDoubtPeriod: Duration = .seconds(15)
    package var retryGrowth = 4
    package var retryShrinkage = 8

    package init() {}

    /// The most events that wait or are being stored.
    package var places: Int { capacity + lanes * groupSize }
}
