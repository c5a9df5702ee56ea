import Files
import Foundation
import Glibc

/// A directory of an archive, open for as long as this object exists.
final class ArchiveFolder: Sendable {
    /// An error that says why a directory can't be used.
    struct Unusable: Error, CustomStringConvertible {
        let path: String
        let reason: String
        var description: String { "\(path) can't be used: \(reason)" }
    }

    let path: String
    private let descriptor: Int32

    /// Opens a directory, which must belong to this user. A missing one is created, and only this user can read it.
    ///
    /// - Parameter followsLink: Whether the path may be a symbolic link.
    init(_ path: String, followsLink: Bool = false) throws(Unusable) {
        self.path = path
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .ofSystem(path) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .ofSystem(path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .ofSystem(path) }
        guard status.st_uid == geteuid() else { throw Unusable(path: path, reason: "it belongs to another user") }
        try Self.syncParent(of: descriptor, path)
    }

    /// Waits until the disk has the name of this directory, if this user may read the directory above.
    private static func syncParent(of descriptor: Int32, _ path: String) throws(Unusable) {
        let parent = openat(descriptor, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        defer { Glibc.close(parent) }
        guard fsync(parent) == 0 else { throw .ofSystem(path) }
    }

    deinit {
        Glibc.close(descriptor)
    }

    /// Locks the directory until this object ends.
    func lock() throws(Unusable) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
        guard errno == EWOULDBLOCK else { throw .ofSystem(path) }
        throw Unusable(path: path, reason: "another command is writing to it")
    }

    /// Waits until the disk has the content and the name of a file in this directory, which may have been put there by
    /// another program.
    func sync(_ file: MonthFile) throws {
        let content = try RegularFile.open(file.path, O_RDONLY)
        defer { Glibc.close(content) }
        guard fsync(content) == 0, fsync(descriptor) == 0 else { throw Unusable.ofSystem(file.path) }
    }

    /// Removes the unfinished files of runs that were killed. Call it only while holding the archive's lock.
    func removeUnfinishedFiles() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasPrefix("events-") && name.contains(".ndjson.gz.part-") {
            unlink(path + "/" + name)
        }
    }
}

extension ArchiveFolder.Unusable {
    /// Creates the error with the reason in `errno`.
    static func ofSystem(_ path: String) -> Self {
        Self(path: path, reason: String(cString: strerror(errno)))
    }
}
