import Events
package import Instruments
package import Postgres

/// The metrics of storing groups.
package struct SinkMetrics: Sendable {
    package let retries = Counter<SQLStateLabel>(
        "afterpush_retries_total", "Group transactions that were retried, by SQLSTATE.")
    package let failures = Counter<SQLStateLabel>(
        "afterpush_storage_failures_total", "Groups that could not be stored, by SQLSTATE.")
    package let conflicts = Counter<NoLabels>(
        "afterpush_conflicts_total", "Duplicates whose content differs from the stored event; the stored event is kept."
    )
    package let namesPastLimit = Counter<NameLabel>(
        "afterpush_names_past_limit_total", "Stored events whose name was past its limit, by kind of name.")

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [retries, failures, conflicts, namesPastLimit]
        return metrics.map(\.family)
    }
}

/// A label for a kind of name.
package struct NameLabel: Labels {
    let kind: NameKind

    package static let allCases = NameKind.allCases.map { NameLabel(kind: $0) }
    package var pairs: [(name: String, value: String)] { [("kind", kind.rawValue)] }
}

/// A label for a database error: a known SQLSTATE, or its class, or the kind of an error without a SQLSTATE.
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
    /// The labels of errors without a SQLSTATE, which the server did not report.
    private static let kinds: [PostgresError.Kind: String] = [
        .connect: "connect", .connectionLost: "connection_lost", .timeout: "timeout", .closed: "closed",
        .poolTimeout: "pool_timeout", .poolClosed: "pool_closed", .rolledBack: "rolled_back",
    ]
}
