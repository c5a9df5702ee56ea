/// The names that a collector knows to be good: declared, or taken within the quota.
///
/// Nearly every event states names that another one stated together before, so that costs one hash of them all and one
/// look into a table. Only what is in neither table is asked of the database. Names are kept as hashes with a secret of
/// the process, so a collision can't be provoked; one by chance lets a name through.
package struct KnownNameCache: Sendable {
    /// Where combinations are remembered: a later one takes the place of an earlier one.
    private var combinations: [Int] = Array(repeating: 0, count: 1 << 15)
    private var names: Set<Int> = []

    package init() {}

    /// How many names are remembered: at most those that all apps may have.
    package var count: Int { names.count }

    /// The names that some events state and that are not known, each once.
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

    /// Places of the events that state a name which was refused, each with the first of its names that was.
    package static func refused(
        in events: [Event], _ refused: Set<ReferencedName>
    ) -> [(place: Int, name: ReferencedName)] {
        guard !refused.isEmpty else { return [] }
        return events.enumerated().compactMap { place, event in
            event.statedNames.first(where: refused.contains).map { (place, $0) }
        }
    }
}
