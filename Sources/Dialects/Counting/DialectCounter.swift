import Synchronization

/// Counts what becomes of the events of other systems' clients, until a worker stores the counts.
///
/// Clients can make up names, so the number of an app's entries between two stores is bounded: beyond it, its names
/// count as `(other)`.
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

        fileprivate mutating func add(_ other: Counts) {
            received += other.received
            mapped += other.mapped
            ignored += other.ignored
            rejected += other.rejected
        }
    }

    /// The name under which names past the limit are counted.
    package static let otherName = "(other)"
    /// The name under which the events of refused requests are counted.
    package static let requestName = "(request)"
    /// The most entries of an app. The database keeps 500 names of a family.
    private static let limit = 1_000
    /// The length of a name that is kept, in bytes.
    private static let nameBytes = 128

    /// The counts by app.
    private let counts = Mutex<[Int32: [Entry: Counts]]>([:])

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
        var sums = DialectSums(appID, family, capacity: events.count + ignored.count)
        for (position, event) in events.enumerated() {
            sums.store(event.source, from: event.index, rejectedAs: rejected[position])
        }
        for event in ignored { sums.ignore(event.name, from: event.index, event.reason) }
        add(sums.counts)
    }

    /// Counts the events of a request that was refused as a whole, whose names are not known.
    package func count(_ appID: Int32, _ family: DialectFamily, refused events: Int, reason: String) {
        let entry = Entry(appID: appID, family: family, name: Self.requestName, reason: reason)
        add([entry: Counts(received: events, rejected: events)])
    }

    /// Returns the counts since the last call, and resets them.
    package func take() -> [Entry: Counts] {
        takeByApp().values.reduce(into: [:]) { all, sums in all.merge(sums) { one, _ in one } }
    }

    /// The same by app.
    package func takeByApp() -> [Int32: [Entry: Counts]] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Adds counts again that could not be stored.
    package func add(_ sums: [Entry: Counts]) {
        counts.withLock { counts in
            for (entry, sum) in sums {
                let app = entry.appID
                let isKnown = counts[app]?[entry] != nil || counts[app]?.count ?? 0 < Self.limit
                let kept =
                    isKnown
                    ? entry
                    : Entry(appID: app, family: entry.family, name: Self.otherName, reason: entry.reason)
                counts[app, default: [:]][kept, default: Counts()].add(sum)
            }
        }
    }

    /// Cuts a name and replaces what PostgreSQL or a terminal can't show.
    fileprivate static func short(_ name: String) -> String {
        if name.utf8.count < nameBytes, name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) { return name }
        var text = ""
        for scalar in name.unicodeScalars {
            guard text.utf8.count < nameBytes - 4 else { break }
            text.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
        }
        return text
    }
}

/// The sums of what became of the events of one request or part of a file.
package struct DialectSums: Sendable {
    /// Events of one name that follow each other, as most do.
    private struct Run {
        let name: String
        let reason: String
        var counts = DialectCounter.Counts()
    }

    private let appID: Int32
    private let family: DialectFamily
    /// The sums of all runs but the last.
    private var sums: [DialectCounter.Entry: DialectCounter.Counts] = [:]
    private var run: Run?
    /// The positions of events that are counted already, one bit each.
    private var seen: [UInt64]

    /// Creates empty sums.
    ///
    /// - Parameter capacity: The expected number of events.
    package init(_ appID: Int32, _ family: DialectFamily, capacity: Int) {
        self.appID = appID
        self.family = family
        seen = Array(repeating: 0, count: capacity / 64 + 1)
    }

    package var counts: [DialectCounter.Entry: DialectCounter.Counts] {
        var ended = self
        ended.endRun()
        return ended.sums
    }

    /// Counts a native event that was stored, or rejected with a code.
    ///
    /// - Parameter index: The position of the event that it came from. One that became two counts once as received.
    package mutating func store(_ name: String, from index: Int, rejectedAs code: String? = nil) {
        add(name, code ?? "", index, mapped: code == nil ? 1 : 0, rejected: code == nil ? 0 : 1)
    }

    package mutating func ignore(_ name: String, from index: Int, _ reason: IgnoredEvent.Reason) {
        add(name, reason.rawValue, index, ignored: 1)
    }

    private mutating func add(
        _ name: String, _ reason: String, _ index: Int, mapped: Int = 0, ignored: Int = 0, rejected: Int = 0
    ) {
        if run?.name != name || run?.reason != reason {
            endRun()
            run = Run(name: name, reason: reason)
        }
        let received = isNew(index) ? 1 : 0
        run?.counts.add(.init(received: received, mapped: mapped, ignored: ignored, rejected: rejected))
    }

    private mutating func endRun() {
        guard let run else { return }
        let entry = DialectCounter.Entry(
            appID: appID, family: family, name: DialectCounter.short(run.name), reason: run.reason)
        sums[entry, default: .init()].add(run.counts)
        self.run = nil
    }

    /// Returns whether the event at a position was not counted before, and marks it as counted.
    private mutating func isNew(_ index: Int) -> Bool {
        while seen.count <= index / 64 { seen.append(0) }
        let bit: UInt64 = 1 << UInt64(index % 64)
        defer { seen[index / 64] |= bit }
        return seen[index / 64] & bit == 0
    }
}
