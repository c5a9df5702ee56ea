import Dialects

/// The number of events that were ignored, by name and reason.
package struct IgnoredEvents: Sendable, Equatable {
    private struct Key: Sendable, Hashable {
        let name: String
        let reason: IgnoredEvent.Reason
    }

    /// The number of names that are counted apart; a file can state any number.
    private static let limit = 500
    /// The length of a name in Unicode scalars beyond which it is cut.
    private static let nameLength = 64

    package private(set) var total = 0
    private var counts: [Key: Int] = [:]

    mutating func insert(_ name: String, _ reason: IgnoredEvent.Reason) {
        let name = String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.nameLength)))
        insert(Key(name: name, reason: reason), 1)
        total += 1
    }

    private mutating func insert(_ key: Key, _ count: Int) {
        if counts[key] != nil || counts.count < Self.limit { counts[key, default: 0] += count }
    }

    static func += (left: inout IgnoredEvents, right: IgnoredEvents) {
        left.total += right.total
        for (key, count) in right.counts { left.insert(key, count) }
    }

    /// A line for each of the most frequent names, and one for all others.
    package func lines(limit: Int = 20) -> [String] {
        let sorted = counts.sorted { left, right in
            (right.value, left.key.name, left.key.reason.rawValue)
                < (left.value, right.key.name, right.key.reason.rawValue)
        }
        let shown = sorted.prefix(limit)
        var lines = shown.map { key, count in
            "\(count) \(key.name.isEmpty ? "without a name" : key.name): \(key.reason.rawValue)"
        }
        let others = total - shown.reduce(0) { $0 + $1.value }
        if others > 0 { lines.append("\(others) others") }
        return lines
    }
}
