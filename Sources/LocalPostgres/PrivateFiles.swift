import Files
import Foundation
import Glibc

/// File operations that are safe for root in a directory of the server's user, even a hostile one: they use the rights of
/// that user there, and none follows a final symlink.
struct PrivateFiles: Sendable {
    /// The user whom the server runs as, and to whom its files belong.
    let user: SystemUser

    /// Creates a directory and its parents; returns whether it was missing.
    @discardableResult
    func makeDirectory(_ path: String, mode: mode_t) throws(LocalClusterError) -> Bool {
        try self.user.act(at: path) { () throws(LocalClusterError) in try Self.makeDirectory(path, mode: mode) }
    }

    private static func makeDirectory(_ path: String, mode: mode_t) throws(LocalClusterError) -> Bool {
        if mkdir(path, mode) == 0 {
            // The umask restricts mkdir's mode, but the server's user needs access.
            let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            try Self.check(descriptor >= 0, path)
            defer { Glibc.close(descriptor) }
            try Self.check(fchmod(descriptor, mode) == 0, path)
            return true
        }
        if errno == ENOENT, let parent = Self.parent(of: path) {
            _ = try Self.makeDirectory(parent, mode: mode)
            return try Self.makeDirectory(path, mode: mode)
        }
        try Self.check(errno == EEXIST, path)
        return false
    }

    /// Creates a directory that only the user can enter, or checks that an existing one is private to the user.
    func makePrivateDirectory(_ path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in
            let isNew = try Self.makeDirectory(path, mode: 0o700)
            let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { throw .unsafeDirectory(path) }
            defer { Glibc.close(descriptor) }
            if isNew { try Self.check(fchown(descriptor, self.user.uid, self.user.gid) == 0, path) }
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_uid == self.user.uid, status.st_mode & 0o077 == 0 else {
                throw .unsafeDirectory(path)
            }
        }
    }

    /// Replaces a file's content atomically, so that every reader sees either the old or the new content.
    func write(_ text: String, to path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in
            let temporary = path + ".new"
            Glibc.unlink(temporary)
            // The umask may have removed the server user's access.
            try Self.append(text, to: temporary, flags: O_CREAT | O_EXCL, mode: 0o644)
            try Self.check(Glibc.rename(temporary, path) == 0, path)
        }
    }

    /// Appends text to a file that exists.
    func append(_ text: String, to path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in try Self.append(text, to: path) }
    }

    /// Appends text with the rights of the program, not those of `user`.
    ///
    /// - Parameter mode: The mode that the file gets, whatever the umask, or `nil` to leave it.
    private static func append(
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

    /// Returns the text of a settings file.
    func text(of path: String) throws(LocalClusterError) -> String {
        try self.user.act(at: path) { () throws(LocalClusterError) in try Self.text(of: path) }
    }

    /// Returns the text of a file of the server's user, who may have put anything in its place.
    ///
    /// - Parameter limit: The size in bytes that the file never has; a larger one would take the host's memory.
    static func text(of path: String, limit: Int = 1 << 20) throws(LocalClusterError) -> String {
        String(decoding: try Self.bytes(of: path, limit: limit), as: UTF8.self)
    }

    static func bytes(of path: String, limit: Int = 1 << 20) throws(LocalClusterError) -> Data {
        let file = try Self.handle(path)
        var status = stat()
        try Self.check(fstat(file.fileDescriptor, &status) == 0, path)
        guard status.st_size <= limit else { throw .noPermission(path: path, reason: "it is too large") }
        do {
            // Not by its size, which can have changed.
            return try file.read(upToCount: limit) ?? Data()
        } catch {
            throw .noPermission(path: path, reason: "\(error)")
        }
    }

    /// Returns the last bytes of a file as text, or nil if there is no such file.
    static func end(of path: String, bytes: UInt64) -> String? {
        guard let file = try? Self.handle(path), let end = try? file.seekToEnd() else { return nil }
        try? file.seek(toOffset: end > bytes ? end - bytes : 0)
        return String(decoding: (try? file.read(upToCount: Int(bytes))) ?? Data(), as: UTF8.self)
    }

    private static func handle(_ path: String) throws(LocalClusterError) -> FileHandle {
        do throws(RegularFile.Refused) {
            return FileHandle(fileDescriptor: try RegularFile.open(path, O_RDONLY), closeOnDealloc: true)
        } catch {
            throw .noPermission(path: path, reason: error.reason)
        }
    }

    /// Creates an empty file that belongs to the user, unless the file exists.
    func touch(_ path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in
            let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o640)
            try Self.check(descriptor >= 0, path)
            defer { Glibc.close(descriptor) }
            guard SystemUser.isRoot else { return }
            try Self.check(fchown(descriptor, self.user.uid, self.user.gid) == 0, path)
        }
    }

    /// Gives a directory that this program has just made to the user.
    func give(_ path: String) throws(LocalClusterError) {
        guard SystemUser.isRoot else { return }
        try self.user.act(at: path) { () throws(LocalClusterError) in
            try Self.check(lchown(path, self.user.uid, self.user.gid) == 0, path)
        }
    }

    func rename(_ path: String, to new: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in
            try Self.check(Glibc.rename(path, new) == 0, new)
        }
    }

    /// Gives two files or directories each other's names in one step; returns the reason if that failed.
    func exchange(_ one: String, _ other: String) -> String? {
        self.user.act(at: one) { FileTree.exchange(one, other) ? nil : String(cString: strerror(errno)) }
    }

    /// Removes a file, if it exists.
    func unlink(_ path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in
            try Self.check(Glibc.unlink(path) == 0 || errno == ENOENT, path)
        }
    }

    /// Removes a directory with all that is in it, if it exists, after the programs that still work in it have ended.
    func removeTree(_ path: String) async throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try await FileTree.endPrograms(in: path)
        try self.unlinkTree(path)
    }

    /// Removes a file, or a directory with all that is in it.
    func unlinkTree(_ path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in try FileTree.unlink(path) }
    }

    /// Returns when a file or the names in a directory are on the disk.
    func sync(_ path: String) throws(LocalClusterError) {
        try self.user.act(at: path) { () throws(LocalClusterError) in
            let descriptor = Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            try Self.check(descriptor >= 0, path)
            defer { Glibc.close(descriptor) }
            try Self.check(fsync(descriptor) == 0, path)
        }
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
