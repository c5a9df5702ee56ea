import Foundation
import Glibc
import Testing

@testable import LocalPostgres

/// Tests files of the server's user that root's commands read, and programs of others that root would run.
struct HostileFileTests {
    private let base = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"

    @Test func `a file that is too large, a pipe and a link are refused, and nothing waits`() throws {
        try FileManager.default.createDirectory(atPath: base, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: base) }
        let (huge, pipe, link, small) = (base + "/huge", base + "/pipe", base + "/link", base + "/small")
        try Data("15\n".utf8).write(to: URL(filePath: small))
        #expect(try PrivateFiles.text(of: small) == "15\n")
        #expect(FileManager.default.createFile(atPath: huge, contents: nil) && truncate(huge, 1 << 40) == 0)
        #expect(mkfifo(pipe, 0o600) == 0 && symlink(small, link) == 0)
        for path in [huge, pipe, link, base + "/none"] {
            #expect(throws: LocalClusterError.self, "\(path)") { try PrivateFiles.text(of: path) }
        }
        #expect(PrivateFiles.end(of: huge, bytes: 8)?.utf8.count == 8)
        #expect(PrivateFiles.end(of: pipe, bytes: 8) == nil || PrivateFiles.end(of: pipe, bytes: 8) == "")
        // Where a cluster's version is read.
        let cluster = base + "/postgres"
        #expect(mkdir(cluster, 0o700) == 0 && rename(huge, cluster + "/PG_VERSION") == 0)
        #expect(ClusterUpgrade.version(of: ClusterLayout(base: base)) == "")
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
    func `root runs no programs of PostgreSQL that another user can change`() async throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        let usual = try #require(try await PostgresBinaries.installed(configured: nil).first)
        let bin = base + "/bin"
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        for program in ["initdb", "pg_ctl", "postgres", "psql", "createdb"] {
            #expect(symlink("\(usual.directory)/\(program)", "\(bin)/\(program)") == 0)
        }
        #expect(try await PostgresBinaries.installed(configured: bin).map(\.version) == [usual.version])
        let error = { LocalClusterError.foreignPrograms(directory: bin, reason: $0) }
        for (path, sticky) in [(bin, false), (base, false), (bin, true)] {
            #expect(chmod(path, sticky ? 0o1777 : 0o777) == 0)
            // Nothing in a directory with the sticky bit can be replaced.
            if sticky {
                _ = try await PostgresBinaries.installed(configured: bin)
            } else {
                await #expect(throws: error("all users can write to \(path)")) {
                    try await PostgresBinaries.installed(configured: bin)
                }
            }
            #expect(chmod(path, 0o755) == 0 && chown(path, 65_534, 65_534) == 0)
            await #expect(throws: error("\(path) belongs to nobody")) {
                try await PostgresBinaries.installed(configured: bin)
            }
            #expect(chown(path, 0, 0) == 0)
        }
        // Also those that only some commands run.
        for program in ["pg_dump", "pg_basebackup", "psql"].map({ "\(bin)/\($0)" }) {
            unlink(program)
            try Data("#!/bin/sh\n".utf8).write(to: URL(filePath: program))
            #expect(chmod(program, 0o755) == 0 && chown(program, 65_534, 65_534) == 0)
            await #expect(throws: error("\(program) belongs to nobody")) {
                try await PostgresBinaries.installed(configured: bin)
            }
            #expect(unlink(program) == 0)
        }
    }
}
