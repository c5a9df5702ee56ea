import Files
import Foundation
import Glibc
import Testing

@testable import LocalPostgres

/// Tests what root does in directories of the server's user, if that user is hostile.
@Suite(.serialized, .enabled(if: geteuid() == 0, "NOT RUN: needs root, whose server is another user"))
struct HostileUserTests {
    private let base = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
    private let nobody: SystemUser

    init() throws {
        nobody = try #require(SystemUser(name: "nobody"))
        for name in ["", "/root", "/user"] {
            try FileManager.default.createDirectory(atPath: base + name, withIntermediateDirectories: true)
        }
        #expect(chown(base + "/user", nobody.uid, nobody.gid) == 0)
    }

    private func names(_ path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path) }

    @Test func `a link of the user leads root's operations no further than the user gets himself`() async throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        let files = PrivateFiles(user: nobody)
        let (root, link) = (base + "/root", base + "/user/link")
        #expect(symlink(root, link) == 0)
        try Data("kept".utf8).write(to: URL(filePath: root + "/file"))
        #expect(mkdir(root + "/tree", 0o755) == 0)
        #expect(throws: LocalClusterError.self) { try files.write("x", to: link + "/new") }
        #expect(throws: LocalClusterError.self) { try files.append("x", to: link + "/file") }
        #expect(throws: LocalClusterError.self) { try files.makeDirectory(link + "/directory", mode: 0o700) }
        #expect(throws: LocalClusterError.self) { try files.makePrivateDirectory(link + "/tree") }
        #expect(throws: LocalClusterError.self) { try files.touch(link + "/touched") }
        #expect(throws: LocalClusterError.self) { try files.give(link + "/file") }
        #expect(throws: LocalClusterError.self) { try files.rename(link + "/file", to: link + "/other") }
        #expect(throws: LocalClusterError.self) { try files.unlink(link + "/file") }
        #expect(throws: LocalClusterError.self) { try files.unlinkTree(link + "/tree") }
        #expect(files.exchange(link + "/file", link + "/tree") != nil)
        #expect(try names(root).sorted() == ["file", "tree"])
        #expect(PrivateFiles.owner(of: root + "/file") == 0)
        // Secrets of root aren't read either.
        #expect(chmod(root + "/file", 0o600) == 0)
        #expect(throws: (any Error).self) { try files.text(of: link + "/file") }
        // The rights of root are back.
        try Data("again".utf8).write(to: URL(filePath: root + "/file"))
    }

    @Test func `what root makes in a directory of the user belongs to him, and elsewhere to root`() throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        let files = PrivateFiles(user: nobody)
        for (directory, owner) in [("/user", nobody.uid), ("/root", 0)] {
            try files.write("text", to: base + directory + "/text")
            try files.makeDirectory(base + directory + "/open", mode: 0o711)
            for name in ["/text", "/open"] {
                #expect(PrivateFiles.owner(of: base + directory + name) == owner, "\(directory)\(name)")
            }
            try files.makePrivateDirectory(base + directory + "/private")
            #expect(PrivateFiles.owner(of: base + directory + "/private") == nobody.uid)
        }
    }

    @Test func `a backup directory that others can exchange is refused`() throws {
        defer { try? FileManager.default.removeItem(atPath: base) }
        let postgres = try SystemUser.forServer(wanted: nil)
        let path = base + "/root/backups"
        let directory = BackupDirectory(path: path)
        let foreign = { (path: String) in
            BackupError.foreignOwner(directory: path, owner: "nobody", user: postgres.name)
        }
        let configuration = LocalCluster.Configuration(dataDirectory: base + "/none")
        // It need not exist, but what is above it must be safe.
        try directory.requireSafety(configuration)
        #expect(throws: foreign(base + "/user")) {
            try BackupDirectory(path: base + "/user/backups").requireSafety(configuration)
        }
        #expect(mkdir(path, 0o700) == 0 && mkdir(path + "/archives", 0o700) == 0)
        for owner in [0, postgres.uid] {
            #expect(chown(path, owner, 0) == 0)
            try directory.requireSafety(configuration)
        }
        for name in ["", "/archives"] {
            #expect(chown(path + name, nobody.uid, nobody.gid) == 0)
            #expect(throws: foreign(path + name)) { try directory.requireSafety(configuration) }
            #expect(chown(path + name, 0, 0) == 0 && chmod(path + name, 0o1777) == 0)
            #expect(throws: BackupError.writableByAll(directory: path + name)) {
                try directory.requireSafety(configuration)
            }
            #expect(chmod(path + name, 0o700) == 0)
        }
        // Whoever owns a link decides each day where the backups go.
        let link = base + "/root/link"
        #expect(symlink(path, link) == 0)
        try BackupDirectory(path: link).requireSafety(configuration)
        #expect(lchown(link, nobody.uid, nobody.gid) == 0)
        #expect(throws: foreign(link)) { try BackupDirectory(path: link).requireSafety(configuration) }
        // With the sticky bit, only its owner can rename a directory.
        #expect(chmod(base + "/root", 0o1777) == 0)
        try directory.requireSafety(configuration)
        #expect(chmod(base + "/root", 0o777) == 0)
        #expect(throws: BackupError.writableByAll(directory: base + "/root")) {
            try directory.requireSafety(configuration)
        }
    }

    @Test func `root notes where backups go in no directory that the server's user only names`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open { $0.throwaway = false }
        let backups = BackupDirectory(path: directory.path + "-backups")
        defer { try? FileManager.default.removeItem(atPath: base) }
        let place = cluster.server.place
        #expect(chown(base + "/user", place.user.uid, place.user.gid) == 0)
        for name in ["/user", "/root/link"] {
            try FileManager.default.createDirectory(atPath: base + name, withIntermediateDirectories: true)
            try Data("test\n".utf8).write(to: URL(filePath: base + name + "/database"))
        }
        var origins = BackupOrigins()
        origins.database = "test"
        for name in ["/user", "/root"] { origins.add(base + name) }
        try origins.write(to: place)
        _ = try await cluster.backUp(to: backups, database: "test")
        #expect(PrivateFiles.owner(of: base + "/user/moved") == place.user.uid)
        #expect(try names(base + "/root") == ["link"])
        // A directory above belongs to that user, who could exchange this one at any time.
        #expect(chown(base + "/root", place.user.uid, place.user.gid) == 0)
        let inside = BackupDirectory(path: base + "/root/link")
        #expect(throws: LocalClusterError.self) {
            try inside.note(successor: backups, of: "test", as: place.user)
        }
        #expect(try names(inside.path) == ["database"])
        await cluster.close()
    }

    @Test func `the list of erased devices is given away, but nothing that the user has put beside it`() async throws {
        let directory = try TestDirectory()
        let cluster = try await directory.open { $0.throwaway = false }
        let backups = BackupDirectory(path: directory.path + "-backups")
        defer { try? FileManager.default.removeItem(atPath: backups.path) }
        _ = try await cluster.backUp(to: backups, database: "test")
        let secret = base + "/root/secret"
        try Data().write(to: URL(filePath: secret))
        try Data().write(to: URL(filePath: backups.erasedDevices + "/suppressed-x.list"))
        #expect(link(secret, backups.erasedDevices + "/hard") == 0)
        #expect(symlink(secret, backups.erasedDevices + "/soft") == 0)
        try cluster.giveErasedDevices(in: backups)
        #expect(PrivateFiles.owner(of: backups.erasedDevices + "/suppressed-x.list") == cluster.server.place.user.uid)
        #expect(PrivateFiles.owner(of: secret) == 0)
        // The whole directory is exchanged.
        #expect(rename(backups.erasedDevices, backups.path + "/aside") == 0)
        #expect(symlink(base + "/root", backups.erasedDevices) == 0)
        #expect(throws: LocalClusterError.self) { try cluster.giveErasedDevices(in: backups) }
        #expect(PrivateFiles.owner(of: secret) == 0)
        await cluster.close()
        try? FileManager.default.removeItem(atPath: base)
    }
}
