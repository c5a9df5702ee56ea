import Foundation
import Glibc

/// File operations that are safe for root in a directory that another user can write to: none follows a final symlink.
enum PrivateFiles {
    /// Creates a directory and its parents; returns whether it was missing.
    @discardableResult
    static func makeDirectory(_ path: String, mode: mode_t) throws(LocalClusterError) -> Bool {
        if mkdir(path, mode) == 0 {
            // The umask restricts mkdir's mode, but the server's user needs access.
            try Self.setMode(mode, ofDirectory: path)
            return true
        }
        if errno == ENOENT, let parent = Self.parent(of: path) {
            try Self.makeDirectory(parent, mode: mode)
            return try Self.makeDirectory(path, mode: mode)
        }
        try Self.check(errno == EEXIST, path)
        return false
    }

    /// Creates a directory that only `owner` can enter, or checks that an existing one is private to `owner`.
    static func makePrivateDirectory(_ path: String, owner: SystemUser) throws(LocalClusterError) {
        let isNew = try Self.makeDirectory(path, mode: 0o700)
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unsafeDirectory(path) }
        defer { Glibc.close(descriptor) }
        if isNew { try Self.check(fchown(descriptor, owner.uid, owner.gid) == 0, path) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == owner.uid, status.st_mode & 0o077 == 0 else {
            throw .unsafeDirectory(path)
        }
    }

    /// Changes the mode of a directory, but not of what a symbolic link in its place names.
    static func setMode(_ mode: mode_t, ofDirectory path: String) throws(LocalClusterError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        try Self.check(descriptor >= 0, path)
        defer { Glibc.close(descriptor) }
        try Self.check(fchmod(descriptor, mode) == 0, path)
    }

    /// Replaces a file's content atomically, so that every reader sees either the old or the new content.
    static func write(_ text: String, to path: String) throws(LocalClusterError) {
        let temporary = path + ".new"
        unlink(temporary)
        // The umask may have removed the server user's access.
        try Self.append(text, to: temporary, flags: O_CREAT | O_EXCL, mode: 0o644)
        try Self.check(rename(temporary, path) == 0, path)
    }

    /// Appends text to a file.
    ///
    /// - Parameter mode: The mode that the file gets, whatever the umask, or `nil` to leave it.
    static func append(
        _ text: String, to path: String, flags: Int32 = 0, mode: mode_t? = nil
    ) throws(LocalClusterError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | flags, 0o644)
        try Self.check(descriptor >= 0, path)
        defer { Glibc.close(descriptor) }
        // Not by path, which can name another file by now.
        if let mode { try Self.check(fchmod(descriptor, mode) == 0, path) }
        let bytes = Array(text.utf8)
        try Self.check(Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0, path)
    }

    /// Creates an empty file that belongs to `owner`, unless the file exists.
    static func touch(_ path: String, owner: SystemUser) throws(LocalClusterError) {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o640)
        try Self.check(descriptor >= 0, path)
        defer { Glibc.close(descriptor) }
        guard SystemUser.isRoot else { return }
        try Self.check(fchown(descriptor, owner.uid, owner.gid) == 0, path)
    }

    /// Gives a directory that this program has just made to the server's user.
    static func give(_ path: String, to user: SystemUser) throws(LocalClusterError) {
        guard SystemUser.isRoot else { return }
        try Self.check(lchown(path, user.uid, user.gid) == 0, path)
    }

    /// Returns when a file or the names in a directory are on the disk.
    static func sync(_ path: String) throws(LocalClusterError) {
        let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        try Self.check(descriptor >= 0, path)
        defer { Glibc.close(descriptor) }
        try Self.check(fsync(descriptor) == 0, path)
    }

    static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// Returns the path without symlinks, or unchanged if it doesn't exist.
    static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func check(_ isDone: Bool, _ path: String) throws(LocalClusterError) {
        guard !isDone else { return }
        throw .noPermission(path: path, reason: String(cString: strerror(errno)))
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return nil }
        return String(path[..<slash])
    }
}
