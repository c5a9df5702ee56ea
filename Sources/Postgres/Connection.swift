import CLibpq
import Executors
package import Logging
import Synchronization

/// One connection to PostgreSQL, on a thread of its own: libpq's calls block.
///
/// Every call ends: a server that doesn't answer within `replyTimeout` costs the connection, and the error says so.
/// Calls from several tasks are served one after another. Closed when the last reference goes.
package actor Connection {
    let configuration: PostgresConfiguration
    private let logger: Logger
    private let executor = QueueExecutor(label: "postgres.connection")
    private let cancelHandle = Mutex<CancelHandle?>(nil)
    private let isAbandoned = Atomic(false)
    /// nil once the connection is closed.
    private(set) var link: Link?
    var statements: StatementCache
    /// A COPY is under way: the connection can't do anything else until it ends.
    var isCopying = false
    /// The server refused to write: worth looking for another one.
    private var metReadOnlyServer = false
    /// The server did not answer in time: connections to it that were made before may hang as well.
    private(set) var metTimeout = false
    /// The process at the server's end; 0 before connecting.
    package private(set) var backendPID: Int32 = 0

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
    }

    /// Connects, and sets role and settings.
    package static func open(
        _ configuration: PostgresConfiguration, logger: Logger
    ) async throws(PostgresError) -> Connection {
        let connection = Connection(configuration, logger)
        try await connection.connect()
        return connection
    }

    /// Whether a statement can be sent: the connection is open, as far as is known, and no COPY is in progress.
    package var isUsable: Bool { self.link != nil && !self.isCopying }

    /// Asks the server to give up the statement that is under way, whichever it is by then; returns at once.
    package nonisolated func cancel() {
        self.cancelHandle.withLock { $0 }?.cancel()
    }

    /// Refuses further statements and cancels the one under way; unlike `close` it doesn't wait for its turn.
    nonisolated func abandon() {
        self.isAbandoned.store(true, ordering: .relaxed)
        self.cancel()
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

    func openLink(for context: String, whileCopying: Bool = false) throws(PostgresError) -> Link {
        guard let link, !self.isAbandoned.load(ordering: .relaxed) else {
            throw PostgresError(.closed, "the connection is closed", context: context)
        }
        guard self.isCopying == whileCopying else {
            throw PostgresError(.busy, "a COPY is under way", context: context)
        }
        return link
    }

    /// Draws the consequences of an error and completes it.
    func failed(_ error: PostgresError, _ context: String, mayHaveCommitted: Bool) -> PostgresError {
        let error = error.during(context, mayHaveCommitted: mayHaveCommitted)
        if error.kind == .timeout {
            self.metTimeout = true
            self.cancel()
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
            let link = try Link.connect(string, timeout: self.configuration.connectTimeout)
            self.link = link
            self.backendPID = link.backendPID
            self.cancelHandle.withLock { $0 = CancelHandle(link.handle) }
            try self.applySettings(link)
        } catch {
            throw self.failed(error, "connect", mayHaveCommitted: false)
        }
    }

    private func applySettings(_ link: Link) throws(PostgresError) {
        guard self.configuration.usesSessionState else { return }
        let settings = self.configuration.settings
        let statement = Statement(
            sql: "select set_config(name, value, false) from unnest($1::text[], $2::text[]) as setting (name, value)",
            parameters: [.textArray(settings.map(\.name)), .textArray(settings.map(\.value))],
            format: .text, prepared: false
        )
        _ = try link.run(statement, name: nil, by: Deadline(after: self.configuration.connectTimeout))
    }
}
