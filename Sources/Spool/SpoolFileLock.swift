import Files
import Foundation
import Glibc

/// A collector's slot in the spool directory, held by a lock that ends with the process.
///
/// Several collectors can use one directory, as in a rolling restart: each takes the first free slot. Running
/// collectors drain the entries that a stopped one left in its slot.
///
/// It is safe to share: the descriptor never changes, and closing it releases the lock.
final class SpoolFileLock: Sendable {
    /// The maximum number of collectors that share a directory.
    static let limit = 64

    let number: Int
    /// The path of the slot's files without their extensions.
    let base: String
    /// Text that identifies the slot in the database: the random mark in its lock file, which stays under another host name
    /// or path, such as those of a container that is created again. Host and path if the disk does not take a mark.
    let identity: String
    private let lock: Int32

    private init(number: Int, base: String, lock: Int32) {
        self.number = number
        self.base = base
        self.lock = lock
        let path = base + ".lock"
        identity = Self.mark(of: lock, path) ?? Self.place(of: path)
    }

    /// Returns the random mark in a lock file, which is written if it is missing or damaged; `nil` if the disk does not take
    /// it.
    private static func mark(of lock: Int32, _ path: String) -> String? {
        var bytes = [UInt8](repeating: 0, count: markSize)
        let count = pread(lock, &bytes, markSize, 0)
        if count == markSize, let mark = UUID(uuidString: String(decoding: bytes, as: UTF8.self)) {
            return mark.uuidString
        }
        guard let writing = try? RegularFile.open(path, O_WRONLY) else { return nil }
        defer { Glibc.close(writing) }
        let mark = UUID().uuidString
        return pwrite(writing, Array(mark.utf8), markSize, 0) == markSize && fsync(writing) == 0 ? mark : nil
    }

    private static func place(of path: String) -> String {
        "\(ProcessInfo.processInfo.hostName):\(URL(filePath: path).resolvingSymlinksInPath().path)"
    }

    private static let markSize = UUID().uuidString.utf8.count

    deinit {
        Glibc.close(lock)
    }

    /// Lists the spool files in a directory, in use or not.
    ///
    /// - Parameter owner: Identifies the database whose events they hold; nil for any.
    static func files(in directory: String, owner: String? = nil) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let prefix = owner.map { "spool-\($0)-" } ?? "spool-"
        return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(".sqlite") }.sorted().map { "\(directory)/\($0)" }
    }

    /// Releases the slot for others; its files must not be used after that.
    func release() {
        flock(lock, LOCK_UN)
    }

    /// Takes the first free slot.
    ///
    /// - Parameter owner: Identifies the database whose events the slot holds; slots of others are never touched.
    static func take(in directory: String, owner: String) throws(SpoolError) -> SpoolFileLock {
        try prepare(directory)
        for number in 0..<limit {
            if let slot = try take(number, in: directory, owner: owner, creating: true) { return slot }
        }
        throw .directory(path: directory, reason: "all \(limit) slots in it are used by running collectors")
    }

    /// Takes an existing slot; returns `nil` if it does not exist or a process holds it.
    static func takeLeft(_ number: Int, in directory: String, owner: String) throws(SpoolError) -> SpoolFileLock? {
        try take(number, in: directory, owner: owner, creating: false)
    }

    private static func take(
        _ number: Int, in directory: String, owner: String, creating: Bool
    ) throws(SpoolError) -> SpoolFileLock? {
        let base = "\(directory)/spool-\(owner)-\(number)"
        // Close-on-exec: a child process that inherited the descriptor would keep the lock.
        let lock: Int32
        do throws(RegularFile.Refused) {
            lock = try RegularFile.open(base + ".lock", O_RDONLY | (creating ? O_CREAT : 0), mode: 0o600)
        } catch {
            if error.code == ENOENT, !creating { return nil }
            throw .directory(path: directory, reason: "\(base).lock: \(error)")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            return nil
        }
        return SpoolFileLock(number: number, base: base, lock: lock)
    }

    /// Creates the directory and its parents; an existing directory must belong to the program's user alone.
    private static func prepare(_ directory: String) throws(SpoolError) {
        try Spool.requireSafety(of: directory)
        let manager = FileManager.default
        if (try? manager.attributesOfItem(atPath: directory)) == nil {
            let above = (directory as NSString).deletingLastPathComponent
            if !above.isEmpty { try? manager.createDirectory(atPath: above, withIntermediateDirectories: true) }
            guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw failure(directory) }
            try Spool.requireSafety(of: directory)
        }
        // These attributes are those of a symlink itself, which is not a directory.
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
