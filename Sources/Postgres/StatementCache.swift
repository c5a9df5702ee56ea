/// The names of the statements that one connection has prepared.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private struct Entry {
        let name: String
        /// Of all uses, its latest.
        var used: Int
    }

    private var entries: [Key: Entry] = [:]
    private var made = 0
    private var uses = 0
    /// What is prepared stays in the server's memory, so a caller that builds its SQL can't be given names for ever.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// The name that the statement is prepared under; it counts as used now.
    mutating func name(_ key: Key) -> String? {
        self.uses += 1
        self.entries[key]?.used = self.uses
        return self.entries[key]?.name
    }

    /// A name to prepare a statement under. It was never used before, as the server may still know those that were.
    mutating func newName() -> String {
        self.made += 1
        return "afterpush_\(self.made)"
    }

    /// Takes out the statement that was not used for longest if there is no room for another: its name, to deallocate it.
    mutating func makeRoom() -> String? {
        guard self.entries.count >= self.limit, let oldest = self.entries.min(by: { $0.value.used < $1.value.used })
        else {
            return nil
        }
        return self.entries.removeValue(forKey: oldest.key)?.name
    }

    mutating func add(_ key: Key, name: String) {
        self.uses += 1
        self.entries[key] = Entry(name: name, used: self.uses)
    }

    /// The server has none of them any more, or its schema has changed under them; names are not used again.
    mutating func forgetAll() {
        self.entries = [:]
    }
}
