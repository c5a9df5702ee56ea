import Foundation
import Glibc

/// A collector's own file in the spool's directory, held by a lock that ends with the program, however it ends.
///
/// Several collectors may use one directory, as in a rolling restart: each takes the first slot that is free. A slot
/// that its collector left with entries in it is drained by those that run.
///
/// Safe to share: the descriptor never changes, and closing it releases the lock.
final class SpoolFileLock: Sendable {
    /// Collectors that can share a directory.
    static let limit = 64

    let number: Int
    /// Where the slot's files are, without the ending.
    let base: String
    private let lock: Int32

    private init(number: Int, base: String, lock: Int32) {
        self.number = number
        self.base = base
        self.lock = lock
    }

    deinit {
        Glibc.close(lock)
    }

    /// Lists the spool files in a directory, of any database, in use or not.
    static func files(in directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasPrefix("spool-") && $0.hasSuffix(".sqlite") }.sorted().map { "\(directory)/\($0)" }
    }

    /// Lets another take it. Nothing of it may be used from then on.
    func release() {
        flock(lock, LOCK_UN)
    }

    /// The first slot that is free.
    ///
    /// - Parameter owner: names the database whose events the slot holds; those of another are never touched.
    static func take(in directory: String, owner: String) throws(SpoolError) -> SpoolFileLock {
        try prepare(directory)
        for number in 0..<limit {
            if let slot = try take(number, in: directory, owner: owner, creating: true) { return slot }
        }
        throw .directory(path: directory, reason: "all \(limit) slots in it are used by running collectors")
    }

    /// Returns an existing slot that no process holds; nil if there is none.
    static func takeLeft(_ number: Int, in directory: String, owner: String) throws(SpoolError) -> SpoolFileLock? {
        try take(number, in: directory, owner: owner, creating: false)
    }

    private static func take(
        _ number: Int, in directory: String, owner: String, creating: Bool
    ) throws(SpoolError) -> SpoolFileLock? {
        let base = "\(directory)/spool-\(owner)-\(number)"
        // Close-on-exec: a program that inherited the descriptor would hold the lock for ever.
        let flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (creating ? O_CREAT : 0)
        let lock = open(base + ".lock", flags, 0o600)
        guard lock >= 0 else {
            if errno == ENOENT, !creating { return nil }
            throw failure(directory)
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            return nil
        }
        return SpoolFileLock(number: number, base: base, lock: lock)
    }

    /// Makes the directory, and those above it; an existing one has to be ours alone.
    private static func prepare(_ directory: String) throws(SpoolError) {
        let manager = FileManager.default
        if (try? manager.attributesOfItem(atPath: directory)) == nil {
            let above = (directory as NSString).deletingLastPathComponent
            if !above.isEmpty { try? manager.createDirectory(atPath: above, withIntermediateDirectories: true) }
            guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure(directory) }
        }
        // Of a symlink these are its own: it is no directory.
        guard let status = try? manager.attributesOfItem(atPath: directory) else { throw failure(directory) }
        guard status[.type] as? FileAttributeType == .typeDirectory else {
            throw .directory(path: directory, reason: "it is not a directory")
        }
        guard status[.ownerAccountID] as? Int == Int(geteuid()), let mode = status[.posixPermissions] as? Int,
            mode & 0o077 == 0
        else { throw .directory(path: directory, reason: "users other than the program's can access it") }
    }

    private static func failure(_ directory: String) -> SpoolError {
        .directory(path: directory, reason: String(cString: strerror(errno)))
    }
}
