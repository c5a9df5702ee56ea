import Foundation
import Glibc
import Testing

@testable import Postgres

/// Tests that no call blocks forever.
struct TimeoutTests {
    @Test func `the server ends a statement at its timeout, and the connection remains usable`() async throws {
        let connection = try await TestServer.connect { $0.statementTimeout = .milliseconds(100) }
        let error = await #expect(throws: PostgresError.self) { try await connection.query("select pg_sleep(5)") }
        #expect(error?.sqlState == "57014" && error?.isCancelled == true && error?.isUnknownOutcome == false)
        #expect(try await connection.query("select 1").count == 1)
    }

    @Test func `a lock timeout is a temporary error`() async throws {
        let holder = try await TestServer.connect()
        try await holder.script("create table if not exists locked (i int)")
        try await holder.script("begin; lock table locked")
        let connection = try await TestServer.connect { $0.lockTimeout = .milliseconds(100) }
        let error = await #expect(throws: PostgresError.self) { try await connection.query("select * from locked") }
        #expect(error?.sqlState == "55P03" && error?.isRetryable == true)
        try await holder.script("rollback")
    }

    @Test func `the connection is closed after the reply timeout if the backend hangs`() async throws {
        let connection = try await TestServer.connect { $0.replyTimeout = .milliseconds(300) }
        let pid = await connection.backendPID
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        let start = ContinuousClock.now
        let error = await #expect(throws: PostgresError.self) { try await connection.query("select 1") }
        #expect(error?.kind == .timeout && error?.isConnectionLoss == true && error?.isUnknownOutcome == true)
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(await !connection.isUsable)
        let next = await #expect(throws: PostgresError.self) { try await connection.query("select 1") }
        #expect(next?.kind == .closed && next?.isUnknownOutcome == false)
    }

    @Test func `sending to a backend that doesn't read ends at the timeout, too`() async throws {
        let connection = try await TestServer.connect { $0.replyTimeout = .milliseconds(300) }
        let pid = await connection.backendPID
        kill(pid, SIGSTOP)
        defer { kill(pid, SIGCONT) }
        let large = Parameter.bytea([UInt8](repeating: 7, count: 20_000_000))
        let error = await #expect(throws: PostgresError.self) {
            try await connection.query("select length($1)", [large])
        }
        #expect(error?.kind == .timeout)
    }

    @Test func `a large statement and a large result are exchanged`() async throws {
        let connection = try await TestServer.connect()
        let bytes = [UInt8](repeating: 7, count: 20_000_000)
        let rows = try await connection.query("select $1", [.bytea(bytes)])
        #expect(try rows[0].decode(Bytes.self).bytes.count == bytes.count)
    }

    @Test func `cancel ends the running statement`() async throws {
        let connection = try await TestServer.connect()
        let result = Task { try await connection.query("select pg_sleep(8)") }
        try await Task.sleep(for: .milliseconds(200))
        let start = ContinuousClock.now
        connection.cancel()
        let error = await #expect(throws: PostgresError.self) { try await result.value }
        #expect(error?.isCancelled == true && ContinuousClock.now - start < .seconds(4))
        #expect(try await connection.query("select 1").count == 1)
    }

    @Test func `a server that accepts connections but never responds is abandoned for the next host`() async throws {
        // The clock starts after the shared server is up, because many tests wait for it at the start of a run.
        let served = try await TestServer.configuration().conninfo
        let silent = try SilentServer()
        let conninfo = "host=\(silent.directory) user=afterpush dbname=postgres"
        let start = ContinuousClock.now
        let error = await TestServer.refusal(conninfo, timeout: .milliseconds(300))
        #expect(error?.kind == .connect && ContinuousClock.now - start < .seconds(3))
        let working = try #require(served.split(separator: "'", maxSplits: 2).dropFirst().first)
        let connection = try await TestServer.connect {
            $0.conninfo = "host=\(silent.directory),\(working) user=afterpush dbname=postgres"
            $0.connectTimeout = .seconds(1)
        }
        #expect(try await connection.query("select 1").count == 1)
    }
}

/// A socket where PostgreSQL's would be, without a server that responds.
private final class SilentServer {
    let directory: String
    private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)

    init() throws {
        self.directory = try TestServer.directory("silent")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = self.directory + "/.s.PGSQL.5432"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(self.descriptor, $0, size) }
        }
        #expect(bound == 0 && listen(self.descriptor, 5) == 0)
    }

    deinit {
        close(self.descriptor)
        try? FileManager.default.removeItem(atPath: self.directory)
    }
}
