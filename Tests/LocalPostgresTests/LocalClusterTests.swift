import Foundation
import Glibc
import Postgres
import Testing
import Tuning

@testable import LocalPostgres

/// Tests creating, sharing and closing a cluster.
@Suite(.serialized) struct LocalClusterTests {
    @Test func `an empty directory becomes a running cluster`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        #expect(cluster.wasCreated && !cluster.wasRunning && cluster.directory == directory.path)
        #expect(try await cluster.value("select current_database() || ' ' || current_user") == "afterpush afterpush")
        #expect(try await cluster.value("show data_checksums") == "on")
        #expect(try await cluster.value("show server_encoding") == "UTF8")
        #expect(try await cluster.value("show listen_addresses") == "")
        #expect(try await cluster.value("show jit") == "off")
        let takesLZ4 = try await cluster.value(
            "select 'lz4' = any (enumvals) from pg_settings where name = 'wal_compression'")
        #expect(try await cluster.value("show wal_compression") == (takesLZ4 == "t" ? "lz4" : "off"))
        await cluster.close()
        #expect(cluster.postmasterPID == nil)
        await cluster.close()
    }

    @Test func `the server is configured to keep memory for the next statement`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        let pid = try #require(cluster.postmasterPID)
        let environment = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8).split(separator: "\0")
        #expect(environment.contains("MALLOC_TRIM_THRESHOLD_=4194304"), "\(environment)")
        #expect(environment.contains("MALLOC_MMAP_THRESHOLD_=2097152"), "\(environment)")
        await cluster.close()
    }

    @Test func `a real cluster is durable, survives a restart, and is never opened as throwaway`() async throws {
        let directory = try TestDirectory()
        let real = directory.configuration(throwaway: false)
        let cluster = try await LocalCluster.open(real, logger: .silent)
        for setting in ["fsync", "full_page_writes", "synchronous_commit"] {
            #expect(try await cluster.value("show \(setting)") == "on")
        }
        try await cluster.script("create table kept as select 42 as answer")
        await cluster.close()
        await #expect(throws: LocalClusterError.notThrowaway(directory: directory.path + "/postgres")) {
            try await directory.open()
        }
        let again = try await LocalCluster.open(real, logger: .silent)
        #expect(!again.wasCreated && !again.wasRunning)
        #expect(try await again.value("select answer from kept") == "42")
        await again.close()
    }

    @Test func `a second program uses the running server, and the last one to close stops it`() async throws {
        let directory = try TestDirectory()
        let first = try await directory.open()
        let second = try await directory.open()
        #expect(!second.wasCreated && second.wasRunning && second.postmasterPID == first.postmasterPID)
        await first.close()
        #expect(try await second.value("select 1") == "1")
        await second.close()
        #expect(second.postmasterPID == nil)
    }

    @Test func `programs that open at the same time create one cluster and share one server`() async throws {
        let directory = try TestDirectory()
        let clusters = try await withThrowingTaskGroup(of: LocalCluster.self) { group in
            for _ in 0..<4 { group.addTask { try await directory.open() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(clusters.filter(\.wasCreated).count == 1)
        #expect(clusters.filter(\.wasRunning).count == 3)
        #expect(Set(clusters.map(\.postmasterPID)).count == 1)
        await withTaskGroup { group in
            for cluster in clusters { group.addTask { await cluster.close() } }
        }
        #expect(clusters[0].postmasterPID == nil)
    }

    @Test func `the next program uses the server that a crashed program left behind`() async throws {
        let directory = try TestDirectory()
        var cluster: LocalCluster? = try await directory.open()
        let pid = cluster?.postmasterPID
        cluster = nil
        let next = try await directory.open()
        #expect(next.wasRunning && next.postmasterPID == pid)
        await next.close()
        #expect(next.postmasterPID == nil)
    }

    @Test func `an interrupted initdb is repeated`() async throws {
        let directory = try TestDirectory()
        let unfinished = directory.path + "/postgres.new"
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        try "half".write(toFile: unfinished + "/PG_VERSION", atomically: false, encoding: .utf8)
        let cluster = try await directory.open()
        #expect(cluster.wasCreated)
        await cluster.close()
    }

    @Test func `a dropped database is created again`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        let admin = cluster.conninfo.replacing("dbname='afterpush'", with: "dbname=postgres")
        try await script(admin, "drop database afterpush")
        let second = try await directory.open()
        #expect(try await second.value("select current_database()") == "afterpush")
        await second.close()
        await cluster.close()
    }

    @Test func `the server ignores the terminal's interrupt and does not listen on the network`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        let pid = try #require(cluster.postmasterPID)
        #expect(getsid(pid) != getsid(0) && getpgid(pid) != getpgid(0))
        let socket = directory.path + "/socket"
        let attributes = try FileManager.default.attributesOfItem(atPath: socket)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        #expect(
            try await cluster.value(
                "select count(*) from pg_hba_file_rules where type <> 'local' and auth_method <> 'reject'") == "0")
        await cluster.close()
    }

    @Test func `an error adds a line to the log, without its statement`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        try await cluster.script("create table stored (id integer primary key)")
        try await cluster.script("insert into stored values (1)")
        await #expect(throws: (any Error).self) {
            try await cluster.script("insert into stored values (1) -- a long statement")
        }
        let log = try String(contentsOfFile: cluster.logFile, encoding: .utf8)
        #expect(log.contains("duplicate key value violates unique constraint"))
        #expect(!log.contains("long statement") && !log.contains("DETAIL"))
        await cluster.close()
    }

    @Test func `the log is rotated while the server runs, and goes on`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open {
            $0.logLimit = 20_000
            $0.logCheckInterval = .milliseconds(50)
        }
        // A second program with the same server.
        let other = try await directory.open {
            $0.logLimit = 20_000
            $0.logCheckInterval = .milliseconds(50)
        }
        for number in 0..<3_000 {
            try? await cluster.script("do $$ begin raise log 'line \(number)'; end $$")
            if number % 100 == 0 { try await Task.sleep(for: .milliseconds(60)) }
        }
        try await Task.sleep(for: .milliseconds(500))
        func size(_ path: String) throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        }
        #expect(try size(cluster.logFile) <= 20_000)
        #expect(try (20_000...40_000).contains(size(cluster.logFile + ".1")))
        try await cluster.script("do $$ begin raise log 'the last line'; end $$")
        #expect(try String(contentsOfFile: cluster.logFile, encoding: .utf8).contains("LOG:  the last line"))
        await other.close()
        await cluster.close()
    }

    @Test func `the log is not copied over a file that a symlink names`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open {
            $0.logLimit = 1_000
            $0.logCheckInterval = .milliseconds(50)
        }
        let precious = directory.path + "/precious"
        try "kept".write(toFile: precious, atomically: true, encoding: .utf8)
        symlink(precious, cluster.logFile + ".1")
        for _ in 0..<100 { try await cluster.script("do $$ begin raise log 'a line'; end $$") }
        try await Task.sleep(for: .milliseconds(300))
        #expect(try String(contentsOfFile: precious, encoding: .utf8) == "kept")
        #expect(try String(contentsOfFile: cluster.logFile + ".1", encoding: .utf8).contains("a line"))
        await cluster.close()
    }

    @Test(.enabled("this kernel does not group processes by session") { access("/proc/self/autogroup", F_OK) == 0 })
    func `the niceness of a server process can be raised and lowered again`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open()
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: .silent)
        let pid = await connection.backendPID
        for nice in [10, 0] {
            let deadline = ContinuousClock.now + .seconds(60)
            // Without root, the kernel accepts one change per tenth of a second and refuses the others.
            repeat {
                ProcessPriority.setNice(nice, ofProcess: pid)
                try await Task.sleep(for: .milliseconds(20))
            } while try group(of: pid) != "nice \(nice)" && .now < deadline
            #expect(try group(of: pid) == "nice \(nice)")
        }
        // A process that has ended is not an error.
        await connection.close()
        ProcessPriority.setNice(10, ofProcess: pid)
        await cluster.close()
    }

    private func group(of pid: Int32) throws -> String {
        let text = try String(contentsOfFile: "/proc/\(pid)/autogroup", encoding: .utf8)
        return text.split(separator: " ").dropFirst().joined(separator: " ").trimmingCharacters(
            in: .whitespacesAndNewlines)
    }
}
