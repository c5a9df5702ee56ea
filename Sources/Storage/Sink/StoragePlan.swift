/// Whether a group's events are taken for new ones until the database says otherwise.
///
/// Storing events that are all new costs half of storing events that may be there already, and senders hardly ever
/// repeat themselves. When they do, as after an outage, groups are stored the careful way for a while: twice as many
/// of them after each wrong guess, half as many after each right one.
struct StoragePlan {
    private static let shortest = 8
    private static let longest = 1_024

    private var carefulGroups = 0
    private var stretch = Self.shortest

    /// Whether the next group's events are taken for new ones.
    mutating func takesForNew() -> Bool {
        guard carefulGroups > 0 else { return true }
        carefulGroups -= 1
        return false
    }

    /// All events of a group that were taken for new ones were.
    mutating func wasRight() {
        stretch = max(stretch / 2, Self.shortest)
    }

    /// At least one wasn't.
    mutating func wasWrong() {
        carefulGroups = stretch
        stretch = min(stretch * 2, Self.longest)
    }
}
