import Foundation
import Glibc
import Testing

@testable import LocalPostgres

/// What a crash leaves behind doesn't keep the next start from working.
@Suite(.serialized) struct RecoveryTests {
    @Test func `a killed server is replaced once its last process has gone`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        try await cluster.script("create table kept as select 42 as answer; checkpoint")
        let orphan = Task { try await cluster.script("select pg_sleep(3)") }
        try await eventually {
            try await cluster.value("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == "1"
        }
        kill(try #require(cluster.postmasterPID), SIGKILL)
        let next = try await directory.open()
        #expect(!next.wasRunning && !next.wasCreated)
        #expect(try await next.value("select answer from kept") == "42")
        #expect(await (try? orphan.value) == nil)
        await next.close()
        await cluster.close()
    }

    @Test func `a record whose pid now belongs to another program is not believed`() async throws {
        let directory = try TestDirectory()
        let first = try await directory.open()
        await first.close()
        let user = try await ClusterPlace.find(directory.configuration(), logger: .silent).user
        let other = try Bystander(user: user, in: directory.path + "/postgres")
        try other.writeRecord(to: directory.path + "/postgres/postmaster.pid", cluster: directory.path + "/postgres")
        try other.writeRecord(to: directory.path + "/socket/.s.PGSQL.5432.lock", cluster: directory.path + "/postgres")
        let next = try await directory.open()
        #expect(!next.wasRunning && next.postmasterPID != nil && next.postmasterPID != other.pid)
        #expect(kill(other.pid, 0) == 0)
        await next.close()
    }

    @Test func `a record whose pid has gone is not believed`() async throws {
        let directory = try TestDirectory()
        let first = try await directory.open()
        let pid = try #require(first.postmasterPID)
        kill(pid, SIGKILL)
        try await eventually { Postmaster.processes(in: directory.path + "/postgres").isEmpty }
        #expect(Postmaster.recorded(in: directory.path + "/postgres")?.pid == pid)
        let next = try await directory.open()
        #expect(!next.wasRunning && next.postmasterPID != pid)
        await next.close()
        await first.close()
    }

    @Test func `a server that is just stopping is waited for`() async throws {
        let directory = try TestDirectory()
        let first = try await directory.open()
        // A smart shutdown waits for this session.
        let session = Task { try await first.script("select pg_sleep(2)") }
        try await eventually {
            try await first.value("select count(*) from pg_stat_activity where wait_event = 'PgSleep'") == "1"
        }
        kill(try #require(first.postmasterPID), SIGTERM)
        try await Task.sleep(for: .milliseconds(300))
        let next = try await directory.open()
        #expect(try await next.value("select 1") == "1")
        _ = try? await session.value
        await next.close()
        await first.close()
    }
}

/// A process of the server's user that isn't a server.
private final class Bystander {
    let pid: Int32
    private let process: Process

    /// - Parameter directory: where it works; in the cluster's own it is hardest to tell from a server.
    init(user: SystemUser, in directory: String) throws {
        self.process = Process()
        self.process.currentDirectoryURL = URL(fileURLWithPath: directory)
        self.process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        self.process.arguments =
            SystemUser.isRoot
            ? ["--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--clear-groups", "sleep", "60"] : ["sleep", "60"]
        try self.process.run()
        self.pid = self.process.processIdentifier
    }

    func writeRecord(to file: String, cluster: String) throws {
        let lines = ["\(self.pid)", cluster, "1700000000", "5432", "/tmp", "", "", "ready   "]
        try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, 0o644)
    }

    deinit {
        self.process.terminate()
    }
}

/// Looks again until it is so, for at most 20 s.
private func eventually(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while try await !condition() {
        try #require(ContinuousClock.now < end)
        try await Task.sleep(for: .milliseconds(20))
    }
}
