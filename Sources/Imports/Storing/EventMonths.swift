package import AfterpushWire
package import Events

/// The months of the imported events, if there are many of a month.
package struct EventMonths: Sendable {
    /// So many events of a chunk make a month worth a partition: a few with a wrong clock don't.
    private static let least = 200
    /// About a month, in microseconds: closer times are looked at once.
    private static let stride: Int64 = 10 * 86_400 * 1_000_000

    private var seen: Set<Int64> = []

    package init() {}

    /// A time in each stretch of ten days that many of the events lie in, and that was not there before.
    package mutating func new(in events: [Event]) -> [Timestamp] {
        var counts: [Int64: Int] = [:]
        for event in events { counts[event.deviceTime.microseconds / Self.stride, default: 0] += 1 }
        let new = counts.filter { $0.value >= Self.least && !seen.contains($0.key) }.keys.sorted()
        seen.formUnion(new)
        // Both ends, since a month may end in between.
        return new.flatMap { [$0 * Self.stride, ($0 + 1) * Self.stride - 1] }.map { Timestamp(microseconds: $0) }
    }
}
