package import Logging
import Timing

/// A pool that lends a bounded number of connections, each to one borrower at a time.
///
/// Borrowers wait in order of arrival, and those of different owners in turn, for at most `acquireTimeout`, and then at
/// most the connect timeout for a new connection. A broken connection is replaced for the next borrower. While the
/// server is unreachable, borrowers get an error immediately, except for one at a time that tries to connect, after a
/// back-off that grows and has jitter.
package actor ConnectionPool {
    private let configuration: PostgresConfiguration
    private let acquireTimeout: Duration
    private let logger: Logger
    private let onLent: @Sendable (_ waited: Duration) -> Void
    private var state: PoolState<Connection>
    private var reconnects = ReconnectSchedule()
    private var waiting: [Int: CheckedContinuation<Connection?, any Error>] = [:]
    private var lent: [ObjectIdentifier: Connection] = [:]
    private var drained: [CheckedContinuation<Void, Never>] = []
    private var lastNumber = 0

    /// Creates a pool, which connects when a connection is first needed.
    ///
    /// - Parameters:
    ///   - size: The maximum number of connections.
    ///   - waitLimit: The maximum number of waiting borrowers. A further one gets an error immediately, or takes the
    ///     place of the newest one of the owner that has the most, which gets it instead.
    ///   - ownerLimit: The maximum number of connections that borrowers of one owner have at the same time.
    ///   - onLent: Called for each lent connection, with the time that the borrower waited for it.
    package init(
        configuration: PostgresConfiguration, size: Int, acquireTimeout: Duration = .seconds(5),
        waitLimit: Int = 1_000, ownerLimit: Int = .max, logger: Logger,
        onLent: @escaping @Sendable (_ waited: Duration) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.acquireTimeout = acquireTimeout
        self.logger = logger
        self.onLent = onLent
        self.state = PoolState(size: size, waitLimit: waitLimit, ownerLimit: ownerLimit)
    }

    /// Lends a connection for as long as `body` runs.
    ///
    /// A connection that is returned broken or with an open transaction is closed.
    ///
    /// - Parameters:
    ///   - owner: On whose account it is lent, such as an app, which may have only `ownerLimit` of them.
    ///   - limit: The time to wait for it, instead of `acquireTimeout`.
    package nonisolated(nonsending) func withConnection<T>(
        of owner: Int32? = nil, within limit: Duration? = nil, _ body: (Connection) async throws -> T
    ) async throws -> T {
        let start = ContinuousClock.now
        let connection = try await self.borrow(owner, within: limit)
        self.onLent(start.duration(to: .now))
        do {
            let value = try await body(connection)
            await self.giveBack(connection, owner)
            return value
        } catch {
            await self.giveBack(connection, owner)
            throw error
        }
    }

    /// Closes idle connections immediately and lent ones when they are returned, and waits until all are closed.
    ///
    /// - Parameter grace: The time after which borrowers' statements are cancelled and refused. After twice this time
    ///   the method returns even if a borrower still has a connection.
    package func shutdown(grace: Duration = .seconds(5)) async {
        let (idle, waiters) = self.state.close()
        for waiter in waiters {
            self.resume(waiter, .failure(PostgresError(.poolClosed, "the pool is closed")))
        }
        for connection in idle { await connection.close() }
        guard self.state.lent > 0 else { return }
        // The task ends by itself after twice `grace`, and is cancelled as soon as all connections are returned.
        let interruption = Task { try await self.interrupt(after: grace) }
        await withCheckedContinuation { self.drained.append($0) }
        interruption.cancel()
    }

    /// Cancels borrowers' statements repeatedly, because a cancel request can arrive between two statements.
    private func interrupt(after grace: Duration) async throws {
        try await Task.sleep(for: grace)
        let end = ContinuousClock.now + grace
        while ContinuousClock.now < end {
            for connection in self.lent.values { connection.abandon() }
            try await Task.sleep(for: .milliseconds(50))
        }
        self.resumeDrained()
    }

    /// Ends the lent connections, whose server doesn't reply any more. What their borrowers wait for fails.
    package func cutLent() {
        for connection in self.lent.values { connection.cut() }
    }

    private func resumeDrained() {
        for continuation in self.drained { continuation.resume() }
        self.drained = []
    }

    package var statistics: Statistics {
        Statistics(
            size: self.state.size, lent: self.state.lent, idle: self.state.idle.count,
            waiting: self.state.waiterCount)
    }

    private func borrow(_ owner: Int32?, within limit: Duration?) async throws -> Connection {
        var candidate = try await self.slot(owner, within: limit ?? self.acquireTimeout)
        while let connection = candidate {
            if await connection.isReusable() { return self.lend(connection) }
            await connection.close()
            candidate = self.state.replacement()
        }
        let connection = try await self.openInSlot(owner)
        guard !self.state.isClosed else {
            await connection.close()
            await self.release(nil, owner)
            throw PostgresError(.poolClosed, "the pool is closed")
        }
        return self.lend(connection)
    }

    private func lend(_ connection: Connection) -> Connection {
        self.lent[ObjectIdentifier(connection)] = connection
        return connection
    }

    private func giveBack(_ connection: Connection, _ owner: Int32?) async {
        let isReusable = await connection.isReusable()
        if !isReusable { await connection.close() }
        // If the server hangs for one connection, it probably hangs for all. Don't let the next borrower time out, too.
        if await connection.metTimeout {
            for idle in self.state.takeIdle() { await idle.close() }
        }
        self.lent[ObjectIdentifier(connection)] = nil
        guard await connection.isUnanswered() else {
            await self.release(isReusable ? connection : nil, owner)
            return
        }
        self.logger.warning("PostgreSQL did not end a statement; its connection counts until it does")
        // Ends when the server has answered or noticed that the connection is gone, or when the pool is closed.
        Task {
            while await connection.isUnanswered(), !self.state.isClosed { try await Task.sleep(for: .seconds(1)) }
            await self.release(nil, owner)
        }
    }

    private func release(_ connection: Connection?, _ owner: Int32?) async {
        switch self.state.release(connection, owner: owner) {
        case .none: break
        case .close(let connection): await connection.close()
        case .grant(let waiter, let connection): self.resume(waiter, .success(connection))
        }
        if self.state.isClosed, self.state.lent == 0 { self.resumeDrained() }
    }

    /// Waits for a slot; returns its idle connection, or `nil` if the borrower has to open one.
    private func slot(_ owner: Int32?, within limit: Duration) async throws -> Connection? {
        try Task.checkCancellation()
        self.lastNumber += 1
        let number = self.lastNumber
        switch self.state.acquire(waiter: number, owner: owner) {
        case .use(let connection): return connection
        case .open: return nil
        case .wait: return try await self.turn(of: number, within: limit)
        case .displace(let waiter):
            self.resume(waiter, .failure(Self.tooManyWaiting))
            return try await self.turn(of: number, within: limit)
        case .refuse(.closed): throw PostgresError(.poolClosed, "the pool is closed")
        case .refuse(.tooManyWaiting): throw Self.tooManyWaiting
        }
    }

    private static var tooManyWaiting: PostgresError {
        PostgresError(.poolTimeout, "too many requests are waiting for a connection")
    }

    private func turn(of waiter: Int, within limit: Duration) async throws -> Connection? {
        // The task is cancelled when the waiter's turn comes; otherwise it removes the waiter from the queue, once.
        let timeLimit = Task {
            try await Task.sleep(for: limit)
            self.giveUp(waiter, PostgresError(.poolTimeout, "no connection became free within the time limit"))
        }
        defer { timeLimit.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.waiting[waiter] = continuation
                if Task.isCancelled { self.giveUp(waiter, CancellationError()) }
            }
        } onCancel: {
            // The handler can't wait for the actor. If the waiter's turn comes first, the cancellation has no effect.
            Task { await self.giveUp(waiter, CancellationError()) }
        }
    }

    private func giveUp(_ waiter: Int, _ error: any Error) {
        guard self.state.leave(waiter: waiter) else { return }
        self.resume(waiter, .failure(error))
    }

    private func resume(_ waiter: Int, _ result: Result<Connection?, any Error>) {
        self.waiting.removeValue(forKey: waiter)?.resume(with: result)
    }

    private func openInSlot(_ owner: Int32?) async throws -> Connection {
        do {
            guard self.reconnects.beginAttempt(at: .now) else {
                throw PostgresError(.connect, "the server was unreachable moments ago")
            }
            return try await self.open()
        } catch {
            await self.release(nil, owner)
            throw error
        }
    }

    private func open() async throws -> Connection {
        do {
            let connection = try await Connection.open(self.configuration, logger: self.logger)
            self.reconnects.recordSuccess()
            return connection
        } catch {
            self.reconnects.recordFailure(at: .now, random: .random(in: 0..<1))
            self.logger.warning("no database connection", metadata: ["error": "\(error)"])
            throw error
        }
    }
}

extension ConnectionPool {
    /// The pool's state, for metrics.
    package struct Statistics: Sendable, Hashable {
        package let size: Int
        package let lent: Int
        package let idle: Int
        package let waiting: Int
    }
}
