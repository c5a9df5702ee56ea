import Postgres
import Synchronization
import TestSupport
import Testing

/// Tests where a statement is repeated that gets no reply in time.
@Suite struct ReadPoolTests {
    /// Runs a statement that takes too long on the replica, and returns how often it was tried.
    ///
    /// - Parameter later: What a check of the replica finds after the statement got no reply.
    private func attempts(_ later: ReplicaReading) async throws -> (count: Int, error: PostgresError?) {
        var configuration = PostgresConfiguration(conninfo: try await TestCluster.database())
        configuration.replyTimeout = .seconds(1)
        let pools = [configuration, configuration].map {
            ConnectionPool(configuration: $0, size: 1, logger: TestCluster.logger)
        }
        let checks = Mutex(0)
        let replica = Replica(maxLag: .seconds(60), logger: TestCluster.logger) {
            let isFirst = checks.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .replica(lag: .zero) : later
        }
        var count = 0
        var failure: PostgresError?
        do {
            try await ReadPool(pools[0], preferring: pools[1], state: replica).withConnection { connection in
                count += 1
                _ = try await connection.query("select pg_sleep($1)", [.float8(count == 1 ? 3 : 0)])
            }
        } catch let error as PostgresError {
            failure = error
        }
        for pool in pools { await pool.shutdown() }
        return (count, failure)
    }

    @Test func `a statement that takes too long is not repeated on the primary if the replica replies`() async throws {
        let (count, error) = try await attempts(.replica(lag: .zero))
        #expect(count == 1 && error?.kind == .timeout)
    }

    @Test func `a statement doesn't wait for a replica that has not replied for long, whatever its time limit`()
        async throws
    {
        var configuration = PostgresConfiguration(conninfo: try await TestCluster.database())
        configuration.replyTimeout = .seconds(600)
        configuration.statementTimeout = .zero
        let pools = [configuration, configuration].map {
            ConnectionPool(configuration: $0, size: 1, logger: TestCluster.logger)
        }
        let isHanging = Mutex(false)
        let replica = Replica(
            maxLag: .seconds(60), patience: .milliseconds(300), logger: TestCluster.logger,
            onGone: { await pools[1].cutLent() },
            check: { isHanging.withLock { $0 } ? .away(CancellationError()) : .replica(lag: .zero) })
        let checks = Task {
            while !Task.isCancelled {
                await replica.update()
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
        var count = 0
        try await ReadPool(pools[0], preferring: pools[1], state: replica).withConnection { connection in
            count += 1
            isHanging.withLock { $0 = true }
            _ = try await connection.query("select pg_sleep($1)", [.float8(count == 1 ? 30 : 0)])
        }
        #expect(count == 2)
        checks.cancel()
        for pool in pools { await pool.shutdown() }
    }

    @Test func `a statement is repeated on the primary if the replica doesn't reply to a check either`() async throws {
        let (count, error) = try await attempts(.away(CancellationError()))
        #expect(count == 2 && error == nil)
    }
}
