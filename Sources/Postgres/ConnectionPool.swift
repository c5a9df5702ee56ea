package import Logging
import Timing

/// Lends a bounded number of connections, each to one borrower at a time.
///
/// Borrowers wait in order of arrival, for at most `acquireTimeout`, then for a new connection at most the connect
/// timeout. Broken connections are replaced when the next borrower comes. While the server can't be reached borrowers
/// are turned away at once, except for one at a time that tries again, after growing random pauses.
package actor ConnectionPool {
    private let configuration: PostgresConfiguration
    private let acquireTimeout: Duration
    private let logger: Logger
    private let onLent: @Sendable (_ waited: Duration) -> Void
    private var state: PoolState<Connection>
    private var backoff = Backoff()
    private var waiting: [Int: CheckedContinuation<Connection?, any Error>] = [:]
    private var lent: [ObjectIdentifier: Connection] = [:]
    private var drained: [CheckedContinuation<Void, Never>] = []
    private var lastNumber = 0

    /// - Parameters:
    ///   - size: connections at most.
    ///   - waitLimit: borrowers that may wait; one more is turned away at once.
    ///   - onLent: called for each connection that is lent, with the time from asking for it to having it.
    package init(
        configuration: PostgresConfiguration, size: Int, acquireTimeout: Duration = .seconds(5),
        waitLimit: Int = 1_000, logger: Logger, onLent: @escaping @Sendable (_ waited: Duration) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.acquireTimeout = acquireTimeout
        self.logger = logger
        self.onLent = onLent
        self.state = PoolState(size: size, waitLimit: waitLimit)
    }

    /// Lends a connection for as long as `body` runs.
    ///
    /// A connection that comes back broken, or with a transaction open, is closed.
    package nonisolated(nonsending) func withConnection<T>(
        _ body: (Connection) async throws -> T
    ) async throws -> T {
        let start = ContinuousClock.now
        let connection = try await self.borrow()
        self.onLent(start.duration(to: .now))
        do {
            let value = try await body(connection)
            await self.giveBack(connection)
            return value
        } catch {
            await self.giveBack(connection)
            throw error
        }
    }

    /// Closes idle connections now and lent ones when they come back; returns when all are closed.
    ///
    /// - Parameter grace: after which borrowers' statements are cancelled and refused; after twice as long it returns
    ///   even if a borrower still holds on to a connection.
    package func shutdown(grace: Duration = .seconds(5)) async {
        let (idle, waiters) = self.state.close()
        for waiter in waiters {
            self.resume(waiter, .failure(PostgresError(.poolClosed, "the pool is closed")))
        }
        for connection in idle { await connection.close() }
        guard self.state.lent > 0 else { return }
        // Ends by itself after twice `grace`, and is cancelled as soon as there is nothing left for it to do.
        let impatience = Task { try await self.interrupt(after: grace) }
        await withCheckedContinuation { self.drained.append($0) }
        impatience.cancel()
    }

    /// Cancels what borrowers do, again and again, as a request may arrive between two statements.
    private func interrupt(after grace: Duration) async throws {
        try await Task.sleep(for: grace)
        let end = ContinuousClock.now + grace
        while ContinuousClock.now < end {
            for connection in self.lent.values { connection.abandon() }
            try await Task.sleep(for: .milliseconds(50))
        }
        self.resumeDrained()
    }

    private func resumeDrained() {
        for continuation in self.drained { continuation.resume() }
        self.drained = []
    }

    package var statistics: Statistics {
        Statistics(
            size: self.state.size, lent: self.state.lent, idle: self.state.idle.count,
            waiting: self.state.waiters.count)
    }

    private func borrow() async throws -> Connection {
        var candidate = try await self.slot()
        while let connection = candidate {
            if await connection.isReusable() { return self.lend(connection) }
            await connection.close()
            candidate = self.state.replacement()
        }
        let connection = try await self.openInSlot()
        guard !self.state.isClosed else {
            await connection.close()
            await self.release(nil)
            throw PostgresError(.poolClosed, "the pool is closed")
        }
        return self.lend(connection)
    }

    private func lend(_ connection: Connection) -> Connection {
        self.lent[ObjectIdentifier(connection)] = connection
        return connection
    }

    private func giveBack(_ connection: Connection) async {
        let isReusable = await connection.isReusable()
        if !isReusable { await connection.close() }
        // What hangs for one hangs for all, and the next borrower should not have to wait to find that out.
        if await connection.metTimeout {
            for idle in self.state.takeIdle() { await idle.close() }
        }
        self.lent[ObjectIdentifier(connection)] = nil
        await self.release(isReusable ? connection : nil)
    }

    private func release(_ connection: Connection?) async {
        switch self.state.release(connection) {
        case .none: break
        case .close(let connection): await connection.close()
        case .grant(let waiter, let connection): self.resume(waiter, .success(connection))
        }
        if self.state.isClosed, self.state.lent == 0 { self.resumeDrained() }
    }

    /// A slot: with an idle connection, or nil to open one.
    private func slot() async throws -> Connection? {
        try Task.checkCancellation()
        self.lastNumber += 1
        let number = self.lastNumber
        switch self.state.acquire(waiter: number) {
        case .use(let connection): return connection
        case .open: return nil
        case .wait: return try await self.turn(of: number)
        case .refuse(.closed): throw PostgresError(.poolClosed, "the pool is closed")
        case .refuse(.tooManyWaiting):
            throw PostgresError(.poolTimeout, "too many requests are waiting for a connection")
        }
    }

    private func turn(of waiter: Int) async throws -> Connection? {
        // Cancelled when the turn comes; otherwise it takes the waiter out of the queue, once.
        let timeLimit = Task {
            try await Task.sleep(for: self.acquireTimeout)
            self.giveUp(waiter, PostgresError(.poolTimeout, "no connection became free within the time limit"))
        }
        defer { timeLimit.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.waiting[waiter] = continuation
                if Task.isCancelled { self.giveUp(waiter, CancellationError()) }
            }
        } onCancel: {
            // The handler can't wait for the actor; whichever of turn and cancellation is first there wins.
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

    private func openInSlot() async throws -> Connection {
        do {
            guard self.backoff.mayTry(at: .now) else {
                throw PostgresError(.connect, "the server was unreachable moments ago")
            }
            return try await self.open()
        } catch {
            await self.release(nil)
            throw error
        }
    }

    private func open() async throws -> Connection {
        do {
            let connection = try await Connection.open(self.configuration, logger: self.logger)
            self.backoff.succeeded()
            return connection
        } catch {
            self.backoff.failed(at: .now, random: .random(in: 0..<1))
            self.logger.warning("no database connection", metadata: ["error": "\(error)"])
            throw error
        }
    }
}

extension ConnectionPool {
    /// How the pool is doing, for metrics.
    package struct Statistics: Sendable, Hashable {
        package let size: Int
        package let lent: Int
        package let idle: Int
        package let waiting: Int
    }
}
