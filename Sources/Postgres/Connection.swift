import CLibpq
import Executors
package import Logging
import Synchronization

/// A connection to PostgreSQL, on its own thread, because libpq's calls block.
///
/// Every call ends: if the server doesn't reply within `replyTimeout`, the call throws and the connection is closed.
/// Calls from several tasks run one after another. The connection is also closed when its last reference is released.
package actor Connection {
    let configuration: PostgresConfiguration
    private let logger: Logger
    private let executor = QueueExecutor(label: "postgres.connection")
    private let cancelHandle = Mutex<CancelHandle?>(nil)
    private let isAbandoned = Atomic(false)
    /// The libpq connection, or `nil` after it was closed.
    private(set) var link: Link?
    var statements: StatementCache
    /// Whether a COPY is running; the connection refuses other statements until it ends.
    var isCopying = false
    /// Whether the server refused to write, in which case the pool connects again and may reach another host.
    private var metReadOnlyServer = false
    /// Whether a reply timed out; other existing connections to the server may hang as well.
    private(set) var metTimeout = false
    /// The closed connection whose statement the server has not answered, if `countsUnansweredStatements`.
    private var unanswered: Link?
    /// The process ID of the server's backend; 0 before connecting, and behind a connection pooler.
    package private(set) var backendPID: Int32 = 0
    /// Whether a connection pooler such as PgBouncer is in between.
    ///
    /// It may run each transaction on another connection to the server, which other clients use in between. So nothing
    /// may outlive a transaction: statements are never prepared, each transaction begins with its settings, and a single
    /// statement gets a transaction of its own.
    package private(set) var isPooled = false
    /// Whether the server was a standby when the connection was opened.
    package private(set) var isStandby = false

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        self.executor.asUnownedSerialExecutor()
    }

    private init(_ configuration: PostgresConfiguration, _ logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        self.statements = StatementCache(limit: configuration.preparedStatements)
    }

    isolated deinit {
        self.link = nil
        self.unanswered = nil
    }

    /// Connects and applies the role and the settings.
    package static func open(
        _ configuration: PostgresConfiguration, logger: Logger
    ) async throws(PostgresError) -> Connection {
        let connection = Connection(configuration, logger)
        try await connection.connect()
        return connection
    }

    /// Whether a statement can be sent: the connection is open, as far as is known, and no COPY is in progress.
    package var isUsable: Bool { self.link != nil && !self.isCopying }

    /// Asks the server to cancel the statement that is running when the request arrives; returns immediately.
    package nonisolated func cancel() {
        self.cancelHandle.withLock { $0 }?.cancel()
    }

    /// Refuses further statements and cancels the running one; unlike `close` it doesn't wait for the actor.
    nonisolated func abandon() {
        self.isAbandoned.store(true, ordering: .relaxed)
        self.cancel()
    }

    /// Ends the connection to a server that doesn't reply; a statement that waits for it fails.
    nonisolated func cut() {
        self.cancelHandle.withLock { $0 }?.cut()
    }

    package func close() {
        self.link = nil
        self.isCopying = false
        self.cancelHandle.withLock { $0 = nil }
    }

    /// Whether a pool can lend this connection again: it is open and has no open transaction.
    func isReusable() -> Bool {
        guard let link = try? self.openLink(for: "lend"), !self.metReadOnlyServer else { return false }
        return link.transactionStatus == PQTRANS_IDLE && link.isAlive()
    }

    /// Whether the server still runs a statement whose reply timed out, although it was asked to cancel it.
    ///
    /// Once it sends anything, it has noticed the request, or notices that the connection is closed.
    func isUnanswered() -> Bool {
        if let unanswered, unanswered.hasReply() { self.unanswered = nil }
        return self.unanswered != nil
    }

    func openLink(for context: String, whileCopying: Bool = false) throws(PostgresError) -> Link {
        guard let link, !self.isAbandoned.load(ordering: .relaxed) else {
            throw PostgresError(.closed, "the connection is closed", context: context)
        }
        guard self.isCopying == whileCopying else {
            throw PostgresError(.busy, "a COPY is under way", context: context)
        }
        return link
    }

    /// Completes an error with its context, and closes the connection if the error ends it.
    func failed(_ error: PostgresError, _ context: String, mayHaveCommitted: Bool) -> PostgresError {
        let error = error.during(context, mayHaveCommitted: mayHaveCommitted)
        if error.kind == .timeout {
            self.metTimeout = true
            self.cancel()
            if self.configuration.countsUnansweredStatements { self.unanswered = self.link }
        }
        if error.endsConnection, self.link != nil {
            self.logger.debug("PostgreSQL connection closed", metadata: ["error": "\(error)"])
            self.close()
        }
        self.metReadOnlyServer = self.metReadOnlyServer || error.isReadOnlyServer
        return error
    }

    private func connect() throws(PostgresError) {
        let string = try ConnectionString(self.configuration)
        do {
            let link = try Link.connect(string, timeout: string.connectTimeout)
            self.link = link
            self.cancelHandle.withLock { $0 = CancelHandle(link.handle) }
            try self.applySettings(link, within: string.connectTimeout)
        } catch {
            throw self.failed(error, "connect", mayHaveCommitted: false)
        }
    }

    /// Applies the role and the settings to the session, and finds out whether it is one.
    ///
    /// A pooler makes up the process ID that it tells its clients. Then the settings end with this statement.
    private func applySettings(_ link: Link, within limit: Duration) throws(PostgresError) {
        let isPooled = "pg_catalog.pg_backend_pid() operator(pg_catalog.<>) \(link.backendPID)"
        let columns =
            ["pg_catalog.pg_backend_pid()", "pg_catalog.pg_is_in_recovery()"]
            + self.configuration.assignments(isLocal: isPooled)
        let statement = Statement(
            sql: "select " + columns.joined(separator: ", "), parameters: [], format: .text, prepared: false)
        let result = try link.run(statement, name: nil, by: Deadline(after: limit))
        let answer = Rows(result).first
        self.isPooled = answer?.text(0) != String(link.backendPID)
        self.isStandby = answer?.text(1) == "t"
        self.backendPID = self.isPooled ? 0 : link.backendPID
    }
}
