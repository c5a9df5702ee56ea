/// Remembers the names that a collector knows to be accepted: declared, or reserved within the quota.
///
/// Nearly every event has a combination of names seen before, for which one hash and one table lookup suffice. Only
/// names that are in neither table are looked up in the database. Names are kept as hashes seeded with a secret of the
/// process, so a collision can't be provoked; an accidental one lets a name through.
package struct KnownNameCache: Sendable {
    /// The combinations of names seen before; a new one replaces an older one in the same slot.
    private var combinations: [Int] = Array(repeating: 0, count: 1 << 15)
    private var names: Set<Int> = []

    package init() {}

    /// The number of remembered names, at most the sum of all apps' limits.
    package var count: Int { names.count }

    /// Returns the unknown names in some events, each once, and remembers combinations without unknown names.
    package mutating func unknown(in events: [Event]) -> [ReferencedName] {
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

    package mutating func learn(_ good: some Sequence<ReferencedName>) {
        for name in good { names.insert(name.hashValue) }
    }

    /// Returns the positions of events with a refused name, each with the first such name.
    package static func refused(
        in events: [Event], _ refused: Set<ReferencedName>
    ) -> [(place: Int, name: ReferencedName)] {
        guard !refused.isEmpty else { return [] }
        return events.enumerated().compactMap { place, event in
            event.statedNames.first(where: refused.contains).map { (place, $0) }
        }
    }
}
