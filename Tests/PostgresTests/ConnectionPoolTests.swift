import Foundation
import Glibc
import LocalPostgres
import Testing

@testable import Postgres

/// Tests the pool against a real server.
struct ConnectionPoolTests {
    private func pool(
        size: Int, acquireTimeout: Duration = .seconds(10), conninfo: String? = nil
    ) async throws -> ConnectionPool {
        var configuration = try await TestServer.configuration()
        if let conninfo { configuration.conninfo = conninfo }
        return ConnectionPool(
            configuration: configuration, size: size, acquireTimeout: acquireTimeout, logger: TestServer.logger)
    }

    @Test func `the pool never opens more connections than its size, and serves all borrowers`() async throws {
        let pool = try await self.pool(size: 3)
        let current = SharedValue(0), most = SharedValue(0)
        let pids = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<30 {
                group.addTask {
                    try await pool.withConnection { connection in
                        current.change { $0 += 1 }
                        defer { current.change { $0 -= 1 } }
                        let now = current.value
                        most.change { $0 = max($0, now) }
                        try await connection.execute("select pg_sleep(0.01)")
                        return await connection.backendPID
                    }
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(pids.count <= 3 && most.value <= 3)
        #expect(await pool.statistics == .init(size: 3, lent: 0, idle: pids.count, waiting: 0))
        await pool.shutdown()
    }

    @Test func `a statement that the server doesn't end counts until it does`() async throws {
        var configuration = try await TestServer.configuration()
        configuration.replyTimeout = .milliseconds(500)
        configuration.countsUnansweredStatements = true
        let pool = ConnectionPool(
            configuration: configuration, size: 1, acquireTimeout: .milliseconds(200), logger: TestServer.logger)
        let pid = try await pool.withConnection { await $0.backendPID }
        kill(pid, SIGSTOP)
        await #expect(throws: PostgresError.self) { try await pool.withConnection { try await $0.execute("select 1") } }
        #expect(await pool.statistics == .init(size: 1, lent: 1, idle: 0, waiting: 0))
        await #expect(throws: PostgresError.self) { try await pool.withConnection { try await $0.execute("select 1") } }
        kill(pid, SIGCONT)
        for _ in 0..<200 where await pool.statistics.lent > 0 { try await Task.sleep(for: .milliseconds(20)) }
        try await pool.withConnection { _ = try await $0.execute("select 1") }
        await pool.shutdown()
    }

    @Test func `a pool closes without waiting for a statement that the server doesn't end`() async throws {
        var configuration = try await TestServer.configuration()
        configuration.replyTimeout = .milliseconds(500)
        configuration.countsUnansweredStatements = true
        let pool = ConnectionPool(configuration: configuration, size: 1, logger: TestServer.logger)
        let pid = try await pool.withConnection { await $0.backendPID }
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        await #expect(throws: PostgresError.self) { try await pool.withConnection { try await $0.execute("select 1") } }
        await pool.shutdown(grace: .seconds(3))
        #expect(await pool.statistics.lent == 0)
    }

    @Test func `a connection that hangs closes the idle connections, too`() async throws {
        var configuration = try await TestServer.configuration()
        configuration.replyTimeout = .milliseconds(500)
        let pool = ConnectionPool(configuration: configuration, size: 2, logger: TestServer.logger)
        let pids = try await pool.withConnection { first in
            try await pool.withConnection { second in [await first.backendPID, await second.backendPID] }
        }
        for pid in pids { kill(pid, SIGSTOP) }
        defer { for pid in pids { kill(pid, SIGCONT) } }
        await #expect(throws: PostgresError.self) { try await pool.withConnection { try await $0.execute("select 1") } }
        #expect(await pool.statistics == .init(size: 2, lent: 0, idle: 0, waiting: 0))
        let next = try await pool.withConnection { connection in
            try await connection.execute("select 1")
            return await connection.backendPID
        }
        #expect(!pids.contains(next))
        await pool.shutdown()
    }

    @Test func `a borrower gets an error when its queue timeout is over`() async throws {
        let pool = try await self.pool(size: 1, acquireTimeout: .milliseconds(200))
        try await pool.withConnection { _ in
            let start = ContinuousClock.now
            let error = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
            #expect(error?.kind == .poolTimeout)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
        }
        _ = try await pool.withConnection { try await $0.execute("select 1") }
        await pool.shutdown()
    }

    @Test func `a borrower can wait longer than others`() async throws {
        let pool = try await self.pool(size: 1, acquireTimeout: .milliseconds(50))
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await pool.withConnection { _ in
                group.addTask { try await pool.withConnection(within: .seconds(60)) { _ in } }
                while await pool.statistics.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
                await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
                #expect(await pool.statistics.waiting == 1)
            }
            try await group.waitForAll()
        }
        await pool.shutdown()
    }

    @Test func `a borrower whose place another owner takes gets an error immediately`() async throws {
        let pool = ConnectionPool(
            configuration: try await TestServer.configuration(), size: 1, acquireTimeout: .seconds(60), waitLimit: 4,
            logger: TestServer.logger)
        let refused = SharedValue([Int]())
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await pool.withConnection { _ in
                for number in 0..<4 {
                    group.addTask {
                        do {
                            try await pool.withConnection(of: number < 2 ? 1 : 2) { _ in }
                        } catch let error as PostgresError where error.kind == .poolTimeout {
                            refused.change { $0.append(number) }
                        }
                    }
                    while await pool.statistics.waiting <= number { try await Task.sleep(for: .milliseconds(2)) }
                }
                group.addTask { try await pool.withConnection(of: 3) { _ in } }
                while refused.value.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
                #expect(await pool.statistics.waiting == 4)
            }
            try await group.waitForAll()
        }
        #expect(refused.value == [3])
        await pool.shutdown()
    }

    @Test func `a cancelled borrower leaves the queue immediately`() async throws {
        let pool = try await self.pool(size: 1)
        try await pool.withConnection { _ in
            let waiter = Task { try await pool.withConnection { _ in } }
            while await pool.statistics.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
            #expect(await pool.statistics.waiting == 0)
        }
        await pool.shutdown()
    }

    @Test func `borrowers are served in order of arrival`() async throws {
        let pool = try await self.pool(size: 1)
        let order = SharedValue([Int]())
        try await withThrowingTaskGroup(of: Void.self) { group in
            try await pool.withConnection { _ in
                for number in 0..<5 {
                    group.addTask { try await pool.withConnection { _ in order.change { $0.append(number) } } }
                    while await pool.statistics.waiting <= number { try await Task.sleep(for: .milliseconds(2)) }
                }
            }
            try await group.waitForAll()
        }
        #expect(order.value == [0, 1, 2, 3, 4])
        await pool.shutdown()
    }

    @Test func `connections that were terminated while idle are replaced without an error`() async throws {
        let pool = try await self.pool(size: 2)
        let killer = try await TestServer.connect()
        for _ in 0..<5 {
            let pid = try await pool.withConnection { await $0.backendPID }
            try await killer.execute("select pg_terminate_backend($1, 5000)", [.int4(pid)])
            let next = try await pool.withConnection { connection in
                try await connection.execute("select 1")
                return await connection.backendPID
            }
            #expect(next != pid)
        }
        await pool.shutdown()
    }

    @Test func `a connection that is returned with an open transaction is not reused`() async throws {
        let pool = try await self.pool(size: 1)
        let first = try await pool.withConnection { connection in
            try await connection.script("begin")
            return await connection.backendPID
        }
        let second = try await pool.withConnection { await $0.backendPID }
        #expect(first != second)
        await pool.shutdown()
    }

    @Test func `the pool leaves a read-only server for another one`() async throws {
        let pool = try await self.pool(size: 1)
        let first = try await pool.withConnection { connection in
            try await connection.script("set default_transaction_read_only = on")
            let error = await #expect(throws: PostgresError.self) {
                try await connection.execute("create table never (i int)")
            }
            #expect(error?.isReadOnlyServer == true && error?.isRetryable == true)
            return await connection.backendPID
        }
        #expect(try await pool.withConnection { await $0.backendPID } != first)
        await pool.shutdown()
    }

    @Test func `borrowers fail fast while the server is down, and connect again after its restart`() async throws {
        let directory = try TestServer.directory("pool-restart")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let cluster = try await TestServer.open("", in: directory)
        let pool = try await self.pool(size: 2, conninfo: cluster.conninfo)
        _ = try await pool.withConnection { try await $0.execute("select 1") }
        await cluster.close()
        let start = ContinuousClock.now
        for _ in 0..<200 {
            let error = await #expect(throws: PostgresError.self) {
                try await pool.withConnection { try await $0.execute("select 1") }
            }
            #expect(error?.isConnectionLoss == true && error?.isRetryable == true)
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        let again = try await TestServer.open("", in: directory)
        try await eventually { try await pool.withConnection { _ = try await $0.execute("select 1") } }
        await pool.shutdown()
        await again.close()
    }

    @Test func `shutdown rejects waiting borrowers and cancels work that exceeds the grace period`() async throws {
        let pool = try await self.pool(size: 1)
        let busy = Task { try await pool.withConnection { _ = try await $0.execute("select pg_sleep(8)") } }
        while await pool.statistics.lent == 0 { try await Task.sleep(for: .milliseconds(5)) }
        let waiting = Task { try await pool.withConnection { _ in } }
        while await pool.statistics.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        await pool.shutdown(grace: .milliseconds(200))
        #expect(ContinuousClock.now - start < .seconds(5))
        let refused = await #expect(throws: PostgresError.self) { try await waiting.value }
        #expect(refused?.kind == .poolClosed)
        let cancelled = await #expect(throws: PostgresError.self) { try await busy.value }
        // On a busy machine the cancellation may arrive before the statement has begun.
        #expect(cancelled?.isCancelled == true || cancelled?.kind == .closed || cancelled?.kind == .poolClosed)
        let late = await #expect(throws: PostgresError.self) { try await pool.withConnection { _ in } }
        #expect(late?.kind == .poolClosed)
        #expect(await pool.statistics == .init(size: 1, lent: 0, idle: 0, waiting: 0))
    }
}

/// Retries the work until it succeeds, for at most 20 s.
private func eventually(_ work: () async throws -> Void) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while true {
        do {
            return try await work()
        } catch {
            guard ContinuousClock.now < end else { throw error }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
