/// The names of the statements that one connection has prepared.
struct StatementCache {
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private var names: [Key: String] = [:]
    private var made = 0
    /// What is prepared stays in the server's memory, so a caller that builds its SQL can't be given names for ever.
    private let limit: Int

    init(limit: Int = 200) {
        self.limit = limit
    }

    func name(_ key: Key) -> String? { self.names[key] }

    /// A name to prepare a statement under, or nil if there are too many already.
    mutating func newName() -> String? {
        guard self.names.count < self.limit else { return nil }
        self.made += 1
        return "afterpush_\(self.made)"
    }

    mutating func add(_ key: Key, name: String) {
        self.names[key] = name
    }

    /// The server has none of them any more, or its schema has changed under them; names are not used again.
    mutating func forgetAll() {
        self.names = [:]
    }
}
