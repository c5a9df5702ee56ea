/// Decides whose messages are delivered next, without a clock or a database.
///
/// Apps take turns. An app may have a quarter as many attempts under way as there are free lanes, so the more are taken,
/// the smaller the shares become, and destinations that hang leave lanes to the other apps.
struct DeliveryLanes {
    /// The number of messages that are delivered at the same time.
    static let count = 32
    /// How many turns are remembered.
    private static let memory: Int64 = 1_000

    private var underWay: [Int32: Int] = [:]
    private var turn: Int64 = 0
    /// The number of the last turn of each app; an app that had none comes first.
    private(set) var turns: [Int32: Int64] = [:]

    private var free: Int { Self.count - underWay.values.reduce(0, +) }

    var hasFreeLane: Bool { free > 0 }

    /// The apps that have no turn now.
    var excluded: [Int32] {
        let free = free
        return underWay.filter { $0.value * 4 >= free }.map(\.key)
    }

    mutating func begin(_ app: Int32) {
        underWay[app, default: 0] += 1
        turn += 1
        turns[app] = turn
        if turns.count > Self.memory { turns = turns.filter { $0.value > turn - Self.memory } }
    }

    mutating func end(_ app: Int32) {
        guard let count = underWay[app] else { return }
        underWay[app] = count > 1 ? count - 1 : nil
    }
}
