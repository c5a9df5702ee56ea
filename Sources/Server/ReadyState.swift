/// Whether events can be acknowledged now.
package enum ReadyState: Sendable, Equatable {
    /// In PostgreSQL.
    case ready
    /// In the spool, PostgreSQL being away.
    case spooling
    case notReady
}
