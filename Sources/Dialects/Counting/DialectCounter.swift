import Synchronization

/// Counts what becomes of the events of other systems' clients, until a worker stores the counts.
///
/// Clients can make up names, so the number of entries between two stores is bounded: beyond it, names count as `(other)`.
package final class DialectCounter: Sendable {
    /// What is counted apart.
    package struct Entry: Sendable, Hashable {
        package let appID: Int32
        package let family: DialectFamily
        package let name: String
        /// Why it was ignored or rejected; empty for mapped events.
        package let reason: String
    }

    package struct Counts: Sendable, Equatable {
        package var received = 0
        package var mapped = 0
        package var ignored = 0
        package var rejected = 0

        mutating func add(_ other: Counts) {
            received += other.received
            mapped += other.mapped
            ignored += other.ignored
            rejected += other.rejected
        }
    }

    /// The name under which names past the limit are counted.
    package static let otherName = "(other)"
    private static let limit = 2_000
    /// The length of a name that is kept, in bytes.
    private static let nameBytes = 128

    private let counts = Mutex<[Entry: Counts]>([:])

    package init() {}

    /// Counts the events of a request.
    ///
    /// - Parameters:
    ///   - stored: The events that were submitted.
    ///   - rejected: The codes of those that were rejected, by their position among the submitted ones.
    package func count(
        _ appID: Int32, _ family: DialectFamily, stored events: [NativeEvent], rejected: [Int: String],
        ignored: [IgnoredEvent]
    ) {
        var sums: [Entry: Counts] = [:]
        var seen: Set<Int> = []
        seen.reserveCapacity(events.count + ignored.count)
        for (position, event) in events.enumerated() {
            let code = rejected[position]
            let entry = Entry(appID: appID, family: family, name: Self.short(event.source), reason: code ?? "")
            // Of an event that became two, the first counts it as received.
            let received = seen.insert(event.index).inserted ? 1 : 0
            sums[entry, default: Counts()].add(
                Counts(received: received, mapped: code == nil ? 1 : 0, rejected: code == nil ? 0 : 1))
        }
        for event in ignored {
            let entry = Entry(
                appID: appID, family: family, name: Self.short(event.name), reason: event.reason.rawValue)
            let received = seen.insert(event.index).inserted ? 1 : 0
            sums[entry, default: Counts()].add(Counts(received: received, ignored: 1))
        }
        add(sums)
    }

    /// Returns the counts since the last call, and resets them.
    package func take() -> [Entry: Counts] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Adds counts again that could not be stored.
    package func add(_ sums: [Entry: Counts]) {
        counts.withLock { counts in
            for (entry, sum) in sums {
                let isKnown = counts[entry] != nil || counts.count < Self.limit
                let entry =
                    isKnown
                    ? entry
                    : Entry(appID: entry.appID, family: entry.family, name: Self.otherName, reason: entry.reason)
                counts[entry, default: Counts()].add(sum)
            }
        }
    }

    /// Cuts a name and replaces what PostgreSQL or a terminal can't show.
    private static func short(_ name: String) -> String {
        if name.utf8.count < nameBytes, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return name }
        var text = ""
        for scalar in name.unicodeScalars {
            guard text.utf8.count < nameBytes - 4 else { break }
            text.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
        }
        return text
    }
}
