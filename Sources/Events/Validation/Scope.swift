/// What a key allows.
package enum Scope: String, Sendable, Hashable, CaseIterable {
    /// Adding events.
    case ingest
    /// Adding events that only the sending server can know of.
    case send
    /// Reading reports.
    case read
    /// All of the above, and changing what is declared.
    case manage

    /// Whether a key of this scope may do what the other scope is for.
    package func allows(_ other: Scope) -> Bool {
        self == other || self == .manage
    }
}
