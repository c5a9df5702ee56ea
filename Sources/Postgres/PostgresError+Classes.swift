extension PostgresError {
    /// The SQLSTATEs that have a name here, for those who need to know all they may meet.
    package static let knownStates = SQLState.names.keys.sorted()

    /// The connection is gone or was never made: the next attempt needs another one.
    package var isConnectionLoss: Bool {
        self.endsConnection || self.kind == .connect
    }

    /// The same work may succeed if it is done again from its first statement on.
    ///
    /// With `isUnknownOutcome` it may have succeeded already: then only work that can be repeated may be.
    package var isRetryable: Bool {
        switch self.kind {
        case .connect, .connectionLost, .timeout, .closed, .poolTimeout: true
        case .server, .rolledBack: self.sqlState.map { SQLState($0).isTransient } ?? false
        case .busy, .encode, .decode, .misuse, .poolClosed: false
        }
    }

    /// The server refused a value: a fault of the data, not of the system.
    package var isDataError: Bool {
        self.sqlState.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false
    }

    /// A row with this key is there already.
    package var isUniqueViolation: Bool { self.sqlState == "23505" }

    /// The statement ran into its time limit or was cancelled.
    package var isCancelled: Bool { self.sqlState == "57014" }

    /// The server is a standby, or set to read-only: another host may be the one to write to.
    package var isReadOnlyServer: Bool { self.sqlState == "25006" }
}
