import Foundation
import Glibc
import Synchronization
import Testing

@testable import LocalPostgres

/// Tests that root can remove a directory of another user who changes it in the meantime.
struct FileTreeTests {
    private let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"

    private func makeFiles(_ count: Int, in path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for number in 0..<count { try Data().write(to: URL(filePath: "\(path)/file-\(number)")) }
    }

    private func count(_ path: String) throws -> Int { try FileManager.default.contentsOfDirectory(atPath: path).count }

    @Test func `all that is in a directory is removed, but not what its links name`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (victim, tree) = (directory + "/victim", directory + "/tree")
        try makeFiles(3, in: victim)
        try makeFiles(2, in: tree + "/a/b")
        try makeFiles(0, in: tree + "/empty")
        #expect(symlink(victim, tree + "/a/link") == 0 && symlink("/nowhere", tree + "/dangling") == 0)
        // A name that is no text.
        let odd = Array((tree + "/").utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0]
        #expect(mkdir(odd, 0o700) == 0)
        try FileTree.unlink(tree)
        #expect(try count(directory) == 1 && count(victim) == 3)
        #expect(throws: LocalClusterError.self) { try FileTree.unlink(tree) }
        #expect(symlink(victim, tree) == 0)
        try FileTree.unlink(tree)
        #expect(try count(directory) == 1 && count(victim) == 3, "a link is removed itself")
    }

    @Test func `a link that takes the place of a directory in the meantime is not followed`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (victim, tree) = (directory + "/victim", directory + "/tree")
        let files = 300
        try makeFiles(files, in: victim)
        try makeFiles(0, in: directory + "/links")
        for round in 0..<20 {
            let link = "\(directory)/links/\(round)"
            try makeFiles(files, in: tree + "/inner")
            #expect(symlink(victim, link) == 0)
            let isDone = Mutex(false)
            let swaps = Thread { while !isDone.withLock({ $0 }) { _ = FileTree.exchange(link, tree + "/inner") } }
            swaps.start()
            // It may fail, because what it opened is no longer where it was.
            try? FileTree.unlink(tree)
            isDone.withLock { $0 = true }
            while !swaps.isFinished { usleep(1_000) }
            #expect(try count(victim) == files, "round \(round)")
            try? FileTree.unlink(tree)
        }
    }
}
