/// How much is kept of an app's alerts, so that one whose rules fire all the time leaves room to the others.
enum AlertLimits {
    /// The most rules of an app, besides the built-in ones.
    static let rules: Int64 = 200
    /// The most series that a rule watches, and the most that it still remembers because they fired when they were last
    /// seen. Further ones are left out, so that a rule by a column of free texts has a limit.
    static let seriesOfRule = 1_000
    /// The most states of all of an app's rules.
    static let states = 20_000
    /// The longest series, as JSON. It is in a key, which PostgreSQL limits to 2,704 bytes.
    static let seriesBytes = 2_048
    /// The longest text of a column of texts; a rule compares with texts of at most 256 bytes.
    static let textBytes = 512
    /// The longest description of a state, and the longest problem of a rule.
    static let descriptionBytes = 1_024
    /// The most changes in the history.
    static let history = 10_000
    /// The most messages that wait to be delivered.
    static let waitingMessages = 10_000
    /// The most messages that have been delivered or given up.
    static let endedMessages = 10_000
    /// The most states that a list of an app's rules shows.
    static let shownStates = 1_000
    /// The most alerts that a summary names.
    static let summarizedAlerts = 100
    /// The most rows that one statement deletes. It is more than one evaluation adds.
    static let deletion = 20_000
}
