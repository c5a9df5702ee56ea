import Files
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import LocalPostgres

/// Tests where a cluster is created, and the error messages if it can't be.
@Suite(.serialized) struct ClusterLocationTests {
    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, whose server is another user"))
    func `a directory that the server's user can't reach is replaced by one under var lib, which later starts use`()
        async throws
    {
        let directory = try TestDirectory(open: false)
        let lines = LogLines()
        let cluster = try await directory.open(logger: lines.logger)
        #expect(cluster.wasCreated && cluster.directory == ClusterLayout.fallback(for: directory.path).base)
        #expect(cluster.directory.hasPrefix("/var/lib/afterpush-clusters/"))
        #expect(lines.all.contains { $0.contains("in another directory") })
        try await cluster.script("create table kept as select 42 as answer")
        await cluster.close()
        // The cluster stays where it was created, even if the first directory has become reachable.
        chmod((directory.path as NSString).deletingLastPathComponent, 0o755)
        let again = try await directory.open()
        #expect(!again.wasCreated && again.directory == cluster.directory)
        #expect(try await again.value("select answer from kept") == "42")
        await again.close()
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, whose server is another user"))
    func `an existing cluster that has become unreachable is an error and does not lead to a new cluster`() async throws
    {
        let directory = try TestDirectory()
        await (try directory.open()).close()
        chmod((directory.path as NSString).deletingLastPathComponent, 0o700)
        let user = try SystemUser.forServer(wanted: nil).name
        await #expect(throws: LocalClusterError.unreachable(directory: directory.path, user: user)) {
            try await directory.open()
        }
        chmod((directory.path as NSString).deletingLastPathComponent, 0o755)
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can choose"))
    func `root can choose the user that the server runs as`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open { $0.postgresUser = "nobody" }
        #expect(PrivateFiles.owner(of: directory.path + "/postgres") == SystemUser(name: "nobody")?.uid)
        await cluster.close()
        // From now on the owner of the files decides.
        await (try directory.open()).close()
        let other = try TestDirectory()
        await #expect(throws: LocalClusterError.noSuchUser("no-such-user")) {
            try await other.open { $0.postgresUser = "no-such-user" }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
    func `a data directory of another user is refused, whether or not it has a cluster`() async throws {
        let nobody = try #require(SystemUser(name: "nobody"))
        let error = { LocalClusterError.foreignOwner(directory: $0, owner: "nobody") }
        let new = try TestDirectory()
        #expect(chown(new.path, nobody.uid, nobody.gid) == 0)
        await #expect(throws: error(new.path)) { try await new.open() }
        let existing = try TestDirectory()
        await (try existing.open()).close()
        #expect(chown(existing.path, nobody.uid, nobody.gid) == 0)
        await #expect(throws: error(existing.path)) { try await existing.open() }
        #expect(chown(existing.path, 0, 0) == 0)
        await (try existing.open()).close()
    }

    @Test func `the error for another user's data directory names users who can use it, each once`() {
        let error = LocalClusterError.foreignOwner(directory: "/srv/data", owner: "nobody")
        #expect(error.description == "/srv/data belongs to nobody: run this program as nobody or as root")
        let roots = LocalClusterError.foreignOwner(directory: "/tmp", owner: "root").description
        #expect(roots == "/tmp belongs to root: name another directory with --data-dir, or run this program as root")
    }

    @Test func `a data directory that all users can change is refused, whether or not it has a cluster`() async throws {
        for hasCluster in [false, true] {
            let directory = try TestDirectory()
            if hasCluster { await (try directory.open()).close() }
            for mode in [0o777, 0o1777] as [mode_t] {
                chmod(directory.path, mode)
                await #expect(throws: LocalClusterError.writableByAll(directory: directory.path)) {
                    try await directory.open()
                }
            }
            chmod(directory.path, 0o755)
            await (try directory.open()).close()
        }
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
    func `a data directory that others can replace is refused, and nothing is made there`() async throws {
        let nobody = try #require(SystemUser(name: "nobody"))
        let directory = try TestDirectory(named: "above/data")
        let above = (directory.path as NSString).deletingLastPathComponent
        let refuse: (String) async -> Void = { reason in
            let error = LocalClusterError.replaceable(directory: directory.path, reason: "\(above) \(reason)")
            await #expect(throws: error) { try await directory.open() }
            #expect(throws: error) { try LocalCluster.requireSafety(directory.configuration()) }
        }
        for exists in [true, false] {
            if !exists { #expect(rmdir(directory.path) == 0) }
            #expect(chown(above, nobody.uid, nobody.gid) == 0)
            await refuse("belongs to nobody")
            // The server's user could exchange it while root's program runs.
            let server = try SystemUser.forServer(wanted: nil)
            #expect(chown(above, server.uid, server.gid) == 0)
            await refuse("belongs to \(server.name)")
            #expect(chown(above, 0, 0) == 0 && chmod(above, 0o777) == 0)
            await #expect(throws: LocalClusterError.self) { try await directory.open() }
            #expect(chown(above, 0, nobody.gid) == 0 && chmod(above, 0o775) == 0)
            await #expect(throws: LocalClusterError.self) { try await directory.open() }
            #expect(FileManager.default.fileExists(atPath: directory.path) == exists)
            // In a directory like /tmp nobody can replace it.
            #expect(chmod(above, 0o1777) == 0)
            try LocalCluster.requireSafety(directory.configuration())
            #expect(chown(above, 0, 0) == 0 && chmod(above, 0o775) == 0)
            try LocalCluster.requireSafety(directory.configuration())
        }
        // The owner of a link decides at each start what it leads to.
        #expect(mkdir(above + "/real", 0o755) == 0 && symlink(above + "/real", directory.path) == 0)
        try LocalCluster.requireSafety(directory.configuration())
        #expect(lchown(directory.path, nobody.uid, nobody.gid) == 0)
        await #expect(
            throws: LocalClusterError.replaceable(
                directory: directory.path, reason: "\(directory.path) belongs to nobody")
        ) { try await directory.open() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: above + "/real").isEmpty)
        #expect(lchown(directory.path, 0, 0) == 0)
        await (try directory.open()).close()
    }

    @Test func `only the program's user can open a lock file, also one of an earlier version`() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8)).lock"
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644]))
        _ = try await FileLock.take(path, exclusive: true, within: .seconds(1))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `a cluster with a path too long for a socket has a private socket under tmp`() async throws {
        let directory = try TestDirectory(named: String(repeating: "long/", count: 30) + "end")
        let layout = ClusterLayout(base: directory.path)
        #expect(layout.socketDirectory.hasPrefix("/tmp/afterpush-"))
        let cluster = try await directory.open()
        #expect(cluster.directory == directory.path && cluster.conninfo.contains(layout.socketDirectory))
        #expect(try await cluster.value("select 1") == "1")
        await cluster.close()
        // What anybody else can put there before the next start.
        let taken = layout.socketDirectory
        #expect(chmod(taken, 0o755) == 0)
        defer { try? FileManager.default.removeItem(atPath: taken) }
        let other = try await directory.open()
        #expect(layout.socketDirectory != taken && layout.socketDirectory.hasPrefix("/tmp/afterpush-"))
        #expect(other.conninfo.contains(layout.socketDirectory))
        #expect(try await other.value("select 1") == "1")
        #expect(try FileManager.default.contentsOfDirectory(atPath: taken).isEmpty)
        await other.close()
        try? FileManager.default.removeItem(atPath: layout.socketDirectory)
    }

    @Test func `the socket is next to the cluster if the path just fits`() {
        let fitting = 107 - "/socket/.s.PGSQL.5432".utf8.count
        let near = ClusterLayout(base: "/" + String(repeating: "a", count: fitting - 1))
        let far = ClusterLayout(base: "/" + String(repeating: "a", count: fitting))
        #expect(near.socketDirectory == near.base + "/socket")
        #expect(far.socketDirectory.hasPrefix("/tmp/afterpush-"))
    }

    @Test(arguments: ["it's a \"data\" dir\\ectory $(exit 1) `exit 1`", "a,b"])
    func `a path with quotes, commas and shell characters works`(name: String) async throws {
        let directory = try TestDirectory(named: name)
        let cluster = try await directory.open()
        #expect(try await cluster.value("select 1") == "1")
        await cluster.close()
        await (try directory.open()).close()
    }

    @Test func `a cluster of another major version is refused with a message of one line`() async throws {
        let directory = try TestDirectory()
        await (try directory.open()).close()
        try "9".write(toFile: directory.path + "/postgres/PG_VERSION", atomically: false, encoding: .utf8)
        let error = await #expect(throws: LocalClusterError.self) { try await directory.open() }
        #expect(error?.description.contains("was made by PostgreSQL 9") == true)
    }

    @Test func `the error for missing programs names Debian's package`() async throws {
        let directory = try TestDirectory()
        let error = await #expect(throws: LocalClusterError.self) {
            try await directory.open { $0.binDirectory = "/nonexistent" }
        }
        #expect(error == .binariesMissing(searched: ["/nonexistent"]))
        #expect(error?.description.contains("Debian's package `postgresql`") == true)
    }

    @Test func `the error of a server that can't start gives the reason in one line`() async throws {
        let directory = try TestDirectory()
        await (try directory.open()).close()
        try PrivateFiles(user: .current).append(
            "max_connections = 1\n", to: directory.path + "/postgres/postgresql.conf")
        let error = await #expect(throws: LocalClusterError.self) { try await directory.open() }
        let reason = "max_wal_senders must be less than max_connections"
        guard case .startFailed = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(error?.description.contains("did not start") == true, "\(reason)")
    }
}

/// A log handler that collects messages.
private final class LogLines: Sendable {
    private let lines = Mutex([String]())

    var all: [String] { self.lines.withLock { $0 } }

    var logger: Logger { Logger(label: "tests", factory: { _ in Handler(lines: self) }) }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.debug

        init(lines: LogLines) {
            self.lines = lines
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            self.lines.lines.withLock { $0.append("\(event.message)") }
        }
    }
}
