import Foundation

/// A file, or standard output, to which a command writes data of any length.
///
/// What commands write holds events, replies and reports, so only the owner can read a file that is created. A file that
/// exists keeps its permissions, and is refused if it belongs to another user, who could read it.
package struct OutputFile: Sendable {
    package struct Failed: Error, CustomStringConvertible {
        let path: String
        let reason: String
        package var description: String { "\(path) can't be written: \(reason)" }

        package init(path: String, reason: String) {
            self.path = path
            self.reason = reason
        }

        /// Creates the error with the reason in `errno`.
        package init(path: String) {
            self.init(path: path, reason: String(cString: strerror(errno)))
        }
    }

    package static let standardOutput = OutputFile(descriptor: 1, path: "standard output")

    private static let mode: mode_t = 0o600

    private let descriptor: Int32
    private let path: String
    /// The name of the file until it is published.
    package let part: String

    private init(descriptor: Int32, path: String, part: String? = nil) {
        self.descriptor = descriptor
        self.path = path
        self.part = part ?? path
    }

    /// Opens the file, device or pipe that the user named, and creates a file that does not exist.
    ///
    /// A symbolic link is refused, because in a directory that others can write to it may lead to any file. The links to
    /// the program's own descriptors, such as `/dev/stdout`, are followed.
    ///
    /// - Parameter keeping: The number of bytes to keep at the start of the file, or nil to truncate it.
    package init(path: String, keeping: Int? = nil) throws(Failed) {
        let isDescriptor =
            ["/dev/stdin", "/dev/stdout", "/dev/stderr"].contains(path)
            || path.wholeMatch(of: /\/dev\/fd\/[0-9]+/) != nil
        let following = isDescriptor ? 0 : O_NOFOLLOW
        var status = stat()
        // Before it is opened, because opening a pipe without a reader does not return.
        if !isDescriptor, lstat(path, &status) == 0 { try Self.requireOwn(status, path) }
        self.init(
            descriptor: Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | following, Self.mode), path: path)
        guard descriptor >= 0 else {
            throw errno == ELOOP ? Failed(path: path, reason: "it is a symbolic link") : failure
        }
        guard fstat(descriptor, &status) == 0 else { throw failure }
        if !isDescriptor { try Self.requireOwn(status, path) }
        guard status.st_mode & S_IFMT == S_IFREG else { return }
        let size = keeping ?? 0
        guard ftruncate(descriptor, size) == 0, lseek(descriptor, size, SEEK_SET) >= 0 else { throw failure }
    }

    /// Refuses a file or a pipe of another user. Devices, such as terminals, belong to root.
    private static func requireOwn(_ status: stat, _ path: String) throws(Failed) {
        guard [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT), status.st_uid != geteuid() else { return }
        throw Failed(path: path, reason: "it belongs to another user, who could read it")
    }

    /// Creates a file whose name the program chose. Anything that has this name, such as a link that another user put
    /// there, is removed; the target of a link is unchanged.
    package init(replacing path: String) throws(Failed) {
        guard unlink(path) == 0 || errno == ENOENT else { throw Failed(path: path) }
        self.init(descriptor: Self.create(path), path: path)
        guard descriptor >= 0 else { throw failure }
    }

    /// Creates a file that gets its name with `publish`, so that no reader of that name sees a partial file.
    package init(publishing path: String) throws(Failed) {
        let part = "\(path).part-\(UUID().uuidString.prefix(8))"
        self.init(descriptor: Self.create(part), path: path, part: part)
        guard descriptor >= 0 else { throw failure }
    }

    private static func create(_ path: String) -> Int32 {
        Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    }

    package func write(_ bytes: [UInt8]) throws(Failed) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure }
            rest = rest.dropFirst(count)
        }
    }

    /// Closes the complete file and gives it its name, and the permissions of the file that it replaces.
    package func publish() throws(Failed) {
        var replaced = stat()
        // The mode of a symbolic link, 0777, says nothing about a file.
        // Nor may another user decide who can read it.
        if lstat(path, &replaced) == 0, replaced.st_mode & S_IFMT == S_IFREG, replaced.st_uid == geteuid(),
            fchmod(descriptor, replaced.st_mode & 0o777) != 0
        {
            throw failure
        }
        guard fsync(descriptor) == 0, rename(part, path) == 0 else { throw failure }
        try close()
    }

    /// Closes and removes a file that was not published.
    package func discard() {
        _ = Glibc.close(descriptor)
        unlink(part)
    }

    package func close() throws(Failed) {
        guard Glibc.close(descriptor) == 0 else { throw failure }
    }

    private var failure: Failed { Failed(path: path) }
}
