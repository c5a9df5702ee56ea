import Files
import Foundation
import Glibc
import Subprocess
import Testing

@testable import LocalPostgres

/// Tests that the next start works whatever a crash has left behind.
@Suite(.serialized) struct RecoveryTests {
    @Test func `a killed server is replaced when its last process has ended`() async throws {
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

    @Test func `a pid file is ignored if the pid now belongs to another program`() async throws {
        let directory = try TestDirectory()
        let first = try await directory.open()
        await first.close()
        let user = try await ClusterLocation.find(directory.configuration(), logger: .silent).user
        try await Bystander.run(user: user, in: directory.path + "/postgres") { other in
            for file in ["postgres/postmaster.pid", "socket/.s.PGSQL.5432.lock"] {
                try other.writeRecord(to: "\(directory.path)/\(file)", cluster: directory.path + "/postgres")
            }
            let next = try await directory.open()
            #expect(!next.wasRunning && next.postmasterPID != nil && next.postmasterPID != other.pid)
            #expect(kill(other.pid, 0) == 0)
            await next.close()
        }
    }

    @Test func `a pid file is ignored if no process has the pid`() async throws {
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

    @Test func `opening waits for a server that is shutting down`() async throws {
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

/// A process of the server's user that is not a server.
private struct Bystander {
    let pid: Int32

    /// Runs the process until `body` has returned.
    ///
    /// - Parameter directory: the working directory; in the cluster's own it is hardest to tell from a server.
    static func run(
        user: SystemUser, in directory: String, _ body: (Bystander) async throws -> Void
    ) async throws {
        let user =
            SystemUser.isRoot
            ? ["setpriv", "--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--clear-groups"] : []
        let script = #"cd "$0" && exec "$@""#
        _ = try await Subprocess.run(
            .name("sh"), arguments: Arguments(["-c", script, directory] + user + ["sleep", "60"]),
            input: .none, output: .discarded, error: .discarded
        ) { execution in
            let pid = execution.processIdentifier.value
            defer { kill(pid, SIGKILL) }
            try await body(Bystander(pid: pid))
        }
    }

    func writeRecord(to file: String, cluster: String) throws {
        let lines = ["\(self.pid)", cluster, "1700000000", "5432", "/tmp", "", "", "ready   "]
        try (lines.joined(separator: "\n") + "\n").write(toFile: file, atomically: false, encoding: .utf8)
        chmod(file, 0o644)
    }
}

/// Waits until the condition is true, for at most 20 s.
private func eventually(_ condition: () async throws -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while try await !condition() {
        try #require(ContinuousClock.now < end)
        try await Task.sleep(for: .milliseconds(20))
    }
}
