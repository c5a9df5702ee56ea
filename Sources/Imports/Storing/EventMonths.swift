package import AfterpushWire
package import Events

/// The months that have many of the imported events.
package struct EventMonths: Sendable {
    /// The number of events in a chunk that justify a partition; a few events with a wrong clock don't.
    private static let least = 200
    /// The length in microseconds of a stretch of time, within which events are counted together.
    private static let stride: Int64 = 10 * 86_400 * 1_000_000

    private var seen: Set<Int64> = []

    package init() {}

    /// Returns the start and end of each stretch of ten days that has many of the events and was not returned before.
    package mutating func new(in events: [Event]) -> [Timestamp] {
        var counts: [Int64: Int] = [:]
        for event in events { counts[event.deviceTime.microseconds / Self.stride, default: 0] += 1 }
        let new = counts.filter { $0.value >= Self.least && !seen.contains($0.key) }.keys.sorted()
        seen.formUnion(new)
        // Both ends, since a month can end in between.
        return new.flatMap { [$0 * Self.stride, ($0 + 1) * Self.stride - 1] }.map { Timestamp(microseconds: $0) }
    }
}
