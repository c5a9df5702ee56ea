/// Remembers the names that a collector knows to be accepted: declared, or reserved within the quota.
///
/// Nearly every event has a combination of names seen before, for which one hash and one table lookup suffice. Only
/// names that are in neither table are looked up in the database, among them all names past their limit: another
/// collector may have reserved them since. Names are kept as hashes seeded with a secret of the process, so a collision
/// can't be provoked; an accidental one lets a name through.
package struct KnownNameCache: Sendable {
    /// The time after which all names are looked up again, because an administrator may have deleted some.
    package static let lifetime: Duration = .seconds(600)

    /// The combinations of names seen before; a new one replaces an older one in the same slot.
    private var combinations = Self.noCombinations
    private var names: Set<Int> = []
    private var end: ContinuousClock.Instant?

    private static let noCombinations = Array(repeating: 0, count: 1 << 15)

    package init() {}

    /// The number of remembered names, at most the sum of all apps' limits.
    package var count: Int { names.count }

    /// Returns the unknown names in some events, each once, and remembers combinations without unknown names.
    package mutating func unknown(
        in events: [Event], at now: ContinuousClock.Instant = .now
    ) -> [ReferencedName] {
        removeExpired(at: now)
        var unknown: [ReferencedName] = []
        var seen: Set<ReferencedName> = []
        for event in events {
            let hash = event.namesHash
            let slot = hash & (combinations.count - 1)
            if combinations[slot] == hash { continue }
            let new = event.statedNames.filter { !names.contains($0.hashValue) }
            if new.isEmpty { combinations[slot] = hash }
            for name in new where seen.insert(name).inserted { unknown.append(name) }
        }
        return unknown
    }

    /// Returns how many different names in some events are unknown; beyond a thousand it stops counting.
    package func countUnknown(in events: [Event]) -> Int {
        var unknown: Set<Int> = []
        for event in events {
            let hash = event.namesHash
            if combinations[hash & (combinations.count - 1)] == hash { continue }
            for name in event.statedNames where !names.contains(name.hashValue) { unknown.insert(name.hashValue) }
            if unknown.count > 1_000 { break }
        }
        return unknown.count
    }

    package mutating func learn(_ good: some Sequence<ReferencedName>) {
        for name in good { names.insert(name.hashValue) }
    }

    private mutating func removeExpired(at now: ContinuousClock.Instant) {
        if let end, now < end { return }
        if end != nil {
            combinations = Self.noCombinations
            names = []
        }
        end = now + Self.lifetime
    }
}
