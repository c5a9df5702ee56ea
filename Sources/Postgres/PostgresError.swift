/// What went wrong with the database, and what is known about its effect.
///
/// `description` is safe to log: no DETAIL, no parameter, no connection string, no value. What a person at a terminal
/// may see besides is in `detailForOperator`.
package struct PostgresError: Error, Sendable {
    package enum Kind: Sendable, Equatable {
        /// No connection could be made, or the pool waits before it tries again.
        case connect
        /// The server refused the statement; see `sqlState`.
        case server
        case connectionLost
        /// No answer within the reply timeout; the connection has been closed.
        case timeout
        /// The connection was closed before.
        case closed
        /// The connection is in the middle of a COPY.
        case busy
        case encode
        case decode
        /// The transaction had failed before its COMMIT, which therefore rolled back.
        case rolledBack
        /// A call that can't be served, such as a transaction within a transaction.
        case misuse
        case poolTimeout
        case poolClosed
    }

    package let kind: Kind
    package let sqlState: String?
    /// Where in the statement, in characters from 1, if the server says so.
    package let position: Int?
    /// What was being done.
    package var context: String
    /// A COMMIT, or a statement that commits by itself, was under way: it may or may not have taken effect.
    package var isUnknownOutcome = false
    /// The connection can't be used any more.
    var endsConnection: Bool
    /// Our own words; never the server's.
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

    /// An error that the server reported, or libpq in its place.
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

    /// The same with what was being done and whether it may have taken effect all the same.
    func during(_ context: String, mayHaveCommitted: Bool) -> PostgresError {
        var error = self
        error.context = context
        // A server that reports a plain error has rolled back; one that dies may have committed first.
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

    /// The server's own words, where they name objects and limits only; else its code and the code's name.
    package var safeMessage: String? {
        guard let sqlState else { return nil }
        let state = SQLState(sqlState)
        if state.messageIsSafe, let serverMessage { return serverMessage }
        return "\(state.name?.replacing("_", with: " ") ?? "PostgreSQL refuses it") (\(sqlState))"
    }

    /// The message of the server or libpq, without DETAIL: for a terminal, never for a log.
    package var detailForOperator: String {
        let lines = [self.description, self.serverMessage, self.hint.map { "Hint: \($0)" }]
        return lines.compactMap { $0 }.joined(separator: "\n")
    }
}
