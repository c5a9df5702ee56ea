/// An error of the database or of the connection to it.
///
/// `description` is safe to log: it contains no DETAIL, parameter, connection string or value. `detailForOperator` adds
/// the server's message, for a person at a terminal.
package struct PostgresError: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        /// The connection attempt failed, or the pool's back-off prevented it.
        case connect
        /// The server refused the statement; see `sqlState`.
        case server
        case connectionLost
        /// The server did not reply within the reply timeout, and the connection was closed.
        case timeout
        /// The connection was closed before the call.
        case closed
        /// The connection is running a COPY.
        case busy
        case encode
        case decode
        /// The transaction failed before its COMMIT, so the server rolled it back.
        case rolledBack
        /// The call is not allowed here, such as a transaction within a transaction.
        case misuse
        case poolTimeout
        case poolClosed
    }

    package let kind: Kind
    package let sqlState: String?
    /// The position of the error in the statement, in characters from 1, if the server reports one.
    package let position: Int?
    /// The operation that failed, such as the first words of the statement.
    package var context: String
    /// Whether the commit is in doubt: a COMMIT, or a statement in autocommit mode, was running and may have succeeded.
    package var isUnknownOutcome = false
    /// Whether the connection can no longer be used.
    var endsConnection: Bool
    /// This layer's description of the error, which never quotes the server.
    private let reason: String?
    private let serverMessage: String?
    private let hint: String?

    init(_ kind: Kind, _ reason: String, context: String = "", sqlState: String? = nil, serverMessage: String? = nil) {
        self.kind = kind
        self.sqlState = sqlState
        self.position = nil
        self.context = context
        self.reason = reason
        self.serverMessage = serverMessage
        self.hint = nil
        self.endsConnection = [.connect, .connectionLost, .timeout, .closed].contains(kind)
    }

    /// Creates an error from a result of the server, or of libpq if it lost the server.
    init(result: ResultHandle, connectionIsLost: Bool) {
        let sqlState = result.errorField(.sqlState)
        let fatal = ["FATAL", "PANIC"].contains(result.errorField(.severity))
        self.kind = sqlState == nil ? .connectionLost : .server
        self.sqlState = sqlState
        self.position = result.errorField(.position).flatMap { Int($0) }
        self.context = ""
        self.reason = sqlState == nil ? "the connection was lost" : nil
        self.serverMessage = result.errorField(.message) ?? result.errorMessage
        self.hint = result.errorField(.hint)
        self.endsConnection = sqlState == nil || fatal || connectionIsLost
    }

    /// Returns a copy with the operation that failed and whether it may have taken effect.
    func during(_ context: String, mayHaveCommitted: Bool) -> PostgresError {
        var error = self
        error.context = context
        // A server that reports an ordinary error has rolled back; one that goes away may have committed first.
        error.isUnknownOutcome = mayHaveCommitted && self.endsConnection && self.kind != .closed
        return error
    }
}

extension PostgresError: CustomStringConvertible {
    package var description: String {
        let what = self.context.isEmpty ? "" : " (\(self.context))"
        let outcome = self.isUnknownOutcome ? "; the outcome is unknown" : ""
        guard let sqlState else { return "PostgreSQL: \(self.reason ?? "failed")\(what)\(outcome)" }
        let state = SQLState(sqlState)
        let name = state.name.map { " \($0)" } ?? ""
        let message = state.messageIsSafe ? self.serverMessage.map { ": \($0)" } ?? "" : ""
        let reason = self.reason.map { ": \($0)" } ?? ""
        return "PostgreSQL \(sqlState)\(name)\(reason)\(what)\(message)\(outcome)"
    }

    /// The server's message if it names only objects and limits; otherwise the SQLSTATE and its name.
    package var safeMessage: String? {
        guard let sqlState else { return nil }
        let state = SQLState(sqlState)
        if state.messageIsSafe, let serverMessage { return serverMessage }
        return "\(state.name?.replacing("_", with: " ") ?? "PostgreSQL refuses it") (\(sqlState))"
    }

    /// The description with the message of the server or libpq, without DETAIL; for a terminal, never for a log.
    ///
    /// Each is one line, so that what a database says can't look like a line of the program.
    package var detailForOperator: String {
        let lines = [self.description, self.serverMessage, self.hint.map { "Hint: \($0)" }]
        return lines.compactMap { $0 }.map { String($0.map { $0.isNewline ? " " : $0 }) }.joined(separator: "\n")
    }
}

extension PostgresError {
    /// The SQLSTATEs that have a name here, for metrics with a fixed set of labels.
    package static let knownStates = SQLState.names.keys.sorted()

    /// Whether the connection was lost or never established, so that the next attempt needs a new one.
    package var isConnectionLoss: Bool {
        self.endsConnection || self.kind == .connect
    }

    /// Whether the work can succeed if it is repeated from its first statement.
    ///
    /// If `isUnknownOutcome` is true, it may have succeeded already, so only idempotent work can be repeated.
    package var isRetryable: Bool {
        switch self.kind {
        case .connect, .connectionLost, .timeout, .closed, .poolTimeout: true
        case .server, .rolledBack: self.sqlState.map { SQLState($0).isTransient } ?? false
        case .busy, .encode, .decode, .misuse, .poolClosed: false
        }
    }

    /// Whether the server refused a value, so that the fault is in the data.
    package var isDataError: Bool {
        self.sqlState.map { $0.hasPrefix("22") || $0.hasPrefix("23") } ?? false
    }

    /// Whether a row with this key exists already.
    package var isUniqueViolation: Bool { self.sqlState == "23505" }

    /// Whether another transaction held a lock for longer than the statement may wait.
    package var isLockTimeout: Bool { self.sqlState == "55P03" }

    /// Whether the statement exceeded its time limit or was cancelled.
    package var isCancelled: Bool { self.sqlState == "57014" && !self.namesRecovery }

    /// Whether a standby ended a statement that only reads, because it conflicts with what the standby replays.
    ///
    /// A primary uses the same codes for transactions that write.
    var isRecoveryConflict: Bool {
        switch self.sqlState {
        case "40001", "40P01": true
        case "57014": self.namesRecovery
        default: false
        }
    }

    /// Whether the server itself failed or stops, rather than the statement: 53 resources, 57 shutdown, 58 I/O, XX bugs
    /// and damaged data. A statement that took too long would on another server, too.
    var isServerFailure: Bool {
        guard let sqlState, sqlState != "57014" else { return false }
        return ["53", "57", "58", "XX"].contains { sqlState.hasPrefix($0) }
    }

    private var namesRecovery: Bool { self.serverMessage?.contains("recovery") ?? false }

    /// Whether the server refused a write because it is a standby or read-only; another host may be the primary.
    package var isReadOnlyServer: Bool { self.sqlState == "25006" }
}
