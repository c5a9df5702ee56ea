import Foundation
import Glibc
import TestSupport
import Testing

/// Tests that a program that root starts drops its rights in favor of the owner of its data directory.
@Suite(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
struct RootRightsTests {
    private static let nobody: uid_t = 65_534
    private let base = FileManager.default.temporaryDirectory.path + "/afterpush-rights-\(UUID().uuidString.prefix(8))"

    private func makeDirectory(_ name: String, owner: uid_t) throws -> String {
        let path = base + name
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        #expect(chmod(base, 0o755) == 0 && chown(path, owner, gid_t(owner)) == 0)
        return path
    }

    private func owner(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int
    }

    @Test func `root writes the list of erased devices nowhere that the server's user can't`() async throws {
        let directory = try makeDirectory("/data", owner: 0)
        let backups = base + "/backups"
        defer { try? FileManager.default.removeItem(atPath: base) }
        for arguments in [["apps", "create", "shop"], ["backup", "--dir", backups], ["erase", "d-1"]] {
            let result = try await Program.run(arguments + ["--data-dir", directory])
            #expect(result.status == 0, "\(arguments): \(result.error)")
        }
        let postgres = try #require(try owner(directory + "/postgres"))
        let lists = try FileManager.default.contentsOfDirectory(atPath: backups + "/erased")
        #expect(postgres != 0 && Set(lists.map { URL(filePath: $0).pathExtension }) == ["list", "count"])
        for name in lists { #expect(try owner("\(backups)/erased/\(name)") == postgres) }
        // What that user can do: exchange the directory, and name another one in the script of the archive.
        let victim = try makeDirectory("/victim", owner: 0)
        #expect(rename(backups + "/erased", backups + "/aside") == 0 && symlink(victim, backups + "/erased") == 0)
        let linked = try await Program.run(["erase", "d-2", "--data-dir", directory])
        #expect(linked.error.contains("could not write the list of erased devices beside the backups"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim).isEmpty)
        let named = try makeDirectory("/named/erased", owner: 0)
        let script = directory + "/postgres/afterpush.archive"
        let text = try String(contentsOfFile: script, encoding: .utf8)
        try text.replacing("\(backups)/archives/", with: "\(base)/named/archives/")
            .write(toFile: script, atomically: false, encoding: .utf8)
        _ = try await Program.run(["erase", "d-3", "--data-dir", directory])
        #expect(try FileManager.default.contentsOfDirectory(atPath: named).isEmpty)
    }

    @Test func `root goes on as nobody whose directory others can write to, or could have made`() async throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        func expect(_ directory: String, _ reason: String, user: String? = nil) async throws {
            for arguments in [["apps", "create", "shop"], ["doctor"]] {
                let output = try await Program.run(
                    arguments + ["--data-dir", directory],
                    environment: user.map { ["AFTERPUSH_POSTGRES_USER": $0] } ?? [:])
                #expect(output.status == 1 && output.error.contains(reason), "\(output)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
        }
        // A group of the system with no members, which is not the owner's.
        let group = try makeDirectory("/group", owner: Self.nobody)
        #expect(chown(group, Self.nobody, 12) == 0 && chmod(group, 0o770) == 0)
        try await expect(group, "can write to \(group)")
        let shared = try makeDirectory("/shared", owner: 0)
        #expect(chmod(shared, 0o1777) == 0)
        let third = try makeDirectory("/shared/data", owner: 13)
        try await expect(third, "\(third) belongs to ", user: "nobody")
        try await expect(third, "where all users can make things")
        #expect(chown(third, Self.nobody, gid_t(Self.nobody)) == 0)
        let own = try await Program.run(
            ["apps", "create", "shop", "--data-dir", third], environment: ["AFTERPUSH_POSTGRES_USER": "nobody"])
        #expect(own.status == 0, "\(own)")
    }

    @Test func `queues of simulated devices are in no directory of another user`() async throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        let directory = try makeDirectory("/queues", owner: Self.nobody)
        let output = try await Program.run(["simulate", "http://127.0.0.1:9", "--queues", directory])
        #expect(output.status == 1 && output.error == "afterpush: \(directory) belongs to nobody\n", "\(output)")
    }

    @Test func `in a directory of another user a program of root goes on as that user`() async throws {
        let directory = try makeDirectory("/data", owner: Self.nobody)
        let victim = try makeDirectory("/victim", owner: 0)
        defer { try? FileManager.default.removeItem(atPath: base) }
        let created = try await Program.run(["apps", "create", "shop", "--data-dir", directory])
        #expect(created.status == 0, "\(created.error)")
        for name in ["postgres", "postgres.log", "users.lock", "postgres.conf"] {
            #expect(try owner("\(directory)/\(name)") == Int(Self.nobody), "\(name)")
        }
        // The list of erased devices would be written to where the link leads.
        #expect(symlink(victim, directory + "/spool") == 0)
        let erased = try await Program.run(["erase", "d-1", "--data-dir", directory])
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim).isEmpty, "\(erased.error)")
        #expect(unlink(directory + "/spool") == 0)
        let output = try await Program.run(["export", "events", "--data-dir", directory, "--out", victim + "/events"])
        #expect(output.error.contains("can't be written: Permission denied"), "\(output.error)")
        let hint = "it goes on as nobody, who owns \(directory): name files that nobody can use"
        #expect(output.error.contains(hint), "\(output.error)")
        let input = try await Program.run(["import", "--data-dir", directory, "/root/missing"])
        #expect(input.error.contains(hint), "\(input.error)")
        let collector = try await CollectorProcess(
            conninfo: nil, arguments: ["--data-dir", directory], spool: directory + "/spool")
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(collector.pid)/task")
            .map { try String(contentsOfFile: "/proc/\(collector.pid)/task/\($0)/status", encoding: .utf8) }
        let ids = threads.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("Uid:") || $0.hasPrefix("Gid:") }
        #expect(!ids.isEmpty && ids.allSatisfy { $0.split(separator: "\t").dropFirst().allSatisfy { $0 == "65534" } })
        #expect(try owner(directory + "/spool") == Int(Self.nobody))
        await collector.stop()
    }
}
