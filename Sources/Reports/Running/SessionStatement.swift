/// A statement that a report's transaction begins with: `set local role`, or what tells row-level security the app.
package struct SessionStatement: Sendable, Equatable {
    package let sql: String
    /// Bound to `$1`, `$2`... as untyped text.
    package let values: [String?]

    package init(_ sql: String, values: [String?] = []) {
        self.sql = sql
        self.values = values
    }
}
