/// Decides whether to assume that all events of a group are new.
///
/// With this assumption storing a group costs half, and senders rarely repeat events. When they do, as after an outage,
/// a number of groups is stored with the careful statement, which allows duplicates. A wrong guess doubles that number,
/// and a right one halves it.
struct StoragePlan {
    private static let shortest = 8
    private static let longest = 1_024

    private var carefulGroups = 0
    private var stretch = Self.shortest

    /// Starts the next group and returns whether to assume that its events are new.
    mutating func startGroup() -> Bool {
        guard carefulGroups > 0 else { return true }
        carefulGroups -= 1
        return false
    }

    /// Records that all events of a group were new, as assumed.
    mutating func recordRightGuess() {
        stretch = max(stretch / 2, Self.shortest)
    }

    /// Records that an event of a group was not new.
    mutating func recordWrongGuess() {
        carefulGroups = stretch
        stretch = min(stretch * 2, Self.longest)
    }
}
