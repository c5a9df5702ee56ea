import Files
import Foundation
import Glibc
import Testing

@testable import Events
@testable import Spool
@testable import Storage

@Suite struct SuppressionFileTests {
    private let directory = NSTemporaryDirectory() + "suppression-\(UUID().uuidString)"
    private let key = DeviceKey(Array(0..<32))

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    private var file: SuppressionFile { SuppressionFile(directory: directory, owner: "x") }
    private var path: URL { URL(filePath: directory + "/suppressed-x.list") }

    private func entry(_ device: String, app: String = "shop \u{1F6D2}\n") -> SuppressionFile.Entry {
        SuppressionFile.Entry(app: app, key: key, hash: key.hash(of: device))
    }

    @Test func `an added entry is found once, and only the owner can read the file`() throws {
        #expect(try file.entries() == [])
        try file.add([entry("a"), entry("b")])
        try file.add([entry("b"), entry("c"), entry("a", app: "other")])
        #expect(try file.entries() == [entry("a"), entry("b"), entry("c"), entry("a", app: "other")])
        #expect(try String(contentsOf: path, encoding: .utf8).split(separator: "\n").count == 4)
        let mode = try FileManager.default.attributesOfItem(atPath: path.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `nothing but a regular file of the directory itself is used, and nothing waits`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let other = directory + "/other"
        #expect(mkdir(other, 0o700) == 0 && symlink(other, directory + "/link") == 0)
        let start = ContinuousClock.now
        let linked = SuppressionFile(directory: directory + "/link", owner: "x")
        #expect(throws: SpoolError.self) { try linked.add([entry("a")]) }
        #expect(throws: SpoolError.self) { try linked.entries() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
        let kinds: [(name: String, make: () -> Int32)] = [
            ("a link", { symlink(other + "/target", path.path) }), ("a pipe", { mkfifo(path.path, 0o600) }),
            ("a directory", { mkdir(path.path, 0o700) }),
            ("a huge file", { creat(path.path, 0o600) >= 0 ? truncate(path.path, 1 << 40) : -1 }),
        ]
        for kind in kinds {
            #expect(kind.make() == 0, "\(kind.name)")
            #expect(throws: SpoolError.self, "\(kind.name)") { try file.add([entry("a")]) }
            #expect(throws: SpoolError.self, "\(kind.name)") { try file.entries() }
            try FileManager.default.removeItem(at: path)
        }
        // Another user's lock delays an erasure, but doesn't stop the collector.
        let held = open(path.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #expect(flock(held, LOCK_EX) == 0)
        #expect(throws: SpoolError.self) { try file.add([entry("a")]) }
        close(held)
        try file.add([entry("a")])
        #expect(start.duration(to: .now) < .seconds(30))
        #expect(try FileManager.default.contentsOfDirectory(atPath: other).isEmpty)
    }

    @Test(.enabled(if: geteuid() == 0, "NOT RUN: needs root, who can give files away"))
    func `with the rights of another user, root writes and reads only what that user can`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let nobody = try #require(SystemUser(name: "nobody"))
        let file = SuppressionFile(directory: directory, owner: "x", user: nobody)
        #expect(chmod(directory, 0o755) == 0)
        #expect(throws: SpoolError.self) { try file.add([entry("a")]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
        try self.file.add([entry("a")])
        #expect(throws: SpoolError.self) { try file.entries() }
        try FileManager.default.removeItem(at: path)
        #expect(chown(directory, nobody.uid, nobody.gid) == 0)
        try file.add([entry("a")])
        #expect(try file.entries() == [entry("a")])
        #expect(try FileManager.default.attributesOfItem(atPath: path.path)[.ownerAccountID] as? Int == Int(nobody.uid))
        #expect(geteuid() == 0 && creat(directory + "/root", 0o600) >= 0)
        #expect(
            try FileManager.default.attributesOfItem(atPath: directory + "/root")[.ownerAccountID] as? Int == 0,
            "root has its rights back")
    }

    @Test func `a truncated line costs no other, wherever it was cut`() throws {
        try file.add([entry("a"), entry("b")])
        let whole = try Data(contentsOf: path)
        for length in whole.indices {
            try whole.prefix(length).write(to: path)
            try file.add([entry("c")])
            let found = try file.entries()
            #expect(found.contains(entry("c")), "\(length)")
            #expect(found.subtracting([entry("a"), entry("b"), entry("c")]) == [], "\(length)")
            try file.add([entry("a"), entry("b")])
            #expect(try file.entries() == [entry("a"), entry("b"), entry("c")], "\(length)")
            // What a crash has cut is no damage, because it is there once more.
            try file.requireWhole()
        }
        try FileManager.default.removeItem(atPath: directory)
    }

    @Test func `a list that lacks a line, or has a damaged one, is not whole`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(!file.exists)
        #expect(throws: SpoolError.self) { try file.requireWhole() }
        try file.add([SuppressionFile.Entry]())
        #expect(file.exists)
        try file.requireWhole()
        try file.add([entry("a"), entry("b")])
        try file.add([entry("c")])
        try file.requireWhole()
        let whole = try String(contentsOf: path, encoding: .utf8)
        let lines = whole.split(separator: "\n")
        let digit = whole.index(whole.startIndex, offsetBy: 20)
        let damaged: [(what: String, text: String)] = [
            ("empty", ""), ("noise", String(repeating: "?", count: 300)),
            ("without a line", lines.dropFirst().joined(separator: "\n") + "\n"),
            ("cut at the end", String(whole.dropLast(30))),
            ("with a line that is cut", "\(lines[0].dropLast(30))\n\(lines[1])\n\(lines[2])\n"),
            ("with other ends of lines", whole.replacing("\n", with: "\r\n")),
            ("with another digit", whole.replacingCharacters(in: digit...digit, with: whole[digit] == "0" ? "1" : "0")),
        ]
        for (what, text) in damaged {
            try Data(text.utf8).write(to: path)
            #expect(throws: SpoolError.self, "\(what)") { try file.requireWhole() }
        }
        try Data(whole.utf8).write(to: path)
        try file.requireWhole()
        try FileManager.default.removeItem(atPath: directory + "/suppressed-x.count")
        #expect(throws: SpoolError.self) { try file.requireWhole() }
        try FileManager.default.removeItem(at: path)
        #expect(throws: SpoolError.self) { try file.requireWhole() }
    }
}
