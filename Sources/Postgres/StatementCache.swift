import Glibc

/// The names of the statements that one connection has prepared.
struct StatementCache {
    /// Compares bytes, because Swift considers strings equal that are different for the server: a letter with an accent
    /// as one character, and the same letter followed by a combining accent.
    struct Key: Hashable {
        let sql: String
        let types: [UInt32]

        static func == (one: Key, other: Key) -> Bool {
            guard one.types == other.types, one.sql.utf8.count == other.sql.utf8.count else { return false }
            var (one, other) = (one.sql, other.sql)
            // As a whole, because statements have thousands of bytes.
            return one.withUTF8 { one in
                other.withUTF8 { other in
                    guard let left = one.baseAddress, let right = other.baseAddress else { return one.isEmpty }
                    return memcmp(left, right, one.count) == 0
                }
            }
        }

        func hash(into hasher: inout Hasher) {
            var sql = sql
            sql.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            hasher.combine(types)
        }
    }

    private struct Entry {
        let name: String
        /// The number of its latest use, counted over all statements.
        var used: Int
    }

    private var entries: [Key: Entry] = [:]
    private var made = 0
    private var uses = 0
    /// The maximum number of prepared statements. It bounds the server's memory if a caller generates its SQL.
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Returns the name of a prepared statement and marks it as used.
    mutating func name(_ key: Key) -> String? {
        self.uses += 1
        guard let index = self.entries.index(forKey: key) else { return nil }
        self.entries.values[index].used = self.uses
        return self.entries.values[index].name
    }

    /// Returns a new name for a statement. Names are never reused, because the server may still know the old ones.
    mutating func newName() -> String {
        self.made += 1
        return "afterpush_\(self.made)"
    }

    /// Removes the least recently used statement if the cache is full, and returns its name, to deallocate it.
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

    /// Removes all statements, after the server deallocated them or the schema changed; their names are not reused.
    mutating func forgetAll() {
        self.entries = [:]
    }
}

/// A statement for the extended protocol, with its parameters.
struct Statement {
    let sql: String
    let parameters: [Parameter]
    let format: ResultFormat
    /// Whether to prepare the statement, because it will run repeatedly.
    let prepared: Bool
    /// Whether its rows are read one by one as they arrive.
    var isReadByRow = false

    var label: String { SQLText.label(self.sql) }
    var key: StatementCache.Key { StatementCache.Key(sql: self.sql, types: self.parameters.map(\.oid)) }
}
