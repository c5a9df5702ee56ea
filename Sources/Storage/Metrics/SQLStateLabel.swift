import Instruments
package import Postgres

/// What went wrong with the database, as a label: a SQLSTATE that is known, else its class, else what libpq met.
package struct SQLStateLabel: Labels {
    package let name: String

    package init(_ error: PostgresError) {
        if let state = error.sqlState {
            let stateClass = "\(state.prefix(2))000"
            name = [state, stateClass].first(where: Self.names.contains) ?? Self.other
        } else {
            name = Self.kinds[error.kind] ?? Self.other
        }
    }

    private init(name: String) {
        self.name = name
    }

    package static let allCases = names.sorted().map { SQLStateLabel(name: $0) }
    package static let isSparse = true
    package var pairs: [(name: String, value: String)] { [("sqlstate", name)] }

    private static let names = Set(PostgresError.knownStates)
        .union(PostgresError.knownStates.map { "\($0.prefix(2))000" }).union(kinds.values).union([other])
    private static let other = "other"
    /// Without a SQLSTATE, since the server said nothing.
    private static let kinds: [PostgresError.Kind: String] = [
        .connect: "connect", .connectionLost: "connection_lost", .timeout: "timeout", .closed: "closed",
        .poolTimeout: "pool_timeout", .poolClosed: "pool_closed", .rolledBack: "rolled_back",
    ]
}
