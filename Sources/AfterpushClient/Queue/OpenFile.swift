#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A regular file that is open as long as the object exists.
///
/// Other programs can write to a shared directory, so that anything may have the name of a file. Opening never waits, as
/// for a writer of a named pipe, follows no symbolic link, and fails unless it is a regular file.
///
/// Locks are those of `flock`: they work between processes, and between two objects in one process. Hold a lock for a few
/// milliseconds at most: iOS kills an app that is suspended while it holds one in a shared directory.
final class OpenFile: Sendable {
    private let descriptor: Int32

    /// The time limit for a lock, in seconds. A process that holds it for longer is suspended or hostile.
    private static let lockSeconds = 2.0

    init(_ path: String, _ flags: Int32) throws(FileError) {
        let descriptor = try Self.retry { open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError.notRegular
        }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the exclusive lock, for at most two seconds.
    func lock() throws(FileError) {
        let end = Clock.uptime() + Self.lockSeconds
        var pause: UInt32 = 100
        while !tryLock() {
            let error = FileError()
            guard error.code == EWOULDBLOCK || error.code == EINTR, Clock.uptime() < end else { throw error }
            usleep(pause)
            pause = min(10_000, pause * 2)
        }
    }

    /// Acquires the exclusive lock if it is free, and returns whether it was.
    func tryLock() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// Returns the size, the time of the last write in seconds since 1970, and whether the file still has a name.
    func state() throws(FileError) -> (size: Int, modified: Int, isLinked: Bool) {
        var found = stat()
        _ = try Self.retry { fstat(descriptor, &found) }
        #if canImport(Darwin)
            let modified = found.st_mtimespec.tv_sec
        #else
            let modified = found.st_mtim.tv_sec
        #endif
        return (Int(clamping: found.st_size), Int(clamping: modified), found.st_nlink > 0)
    }

    /// Reads up to `count` bytes at an offset. Returns fewer only at the end of the file.
    ///
    /// The memory is allocated first, so `count` must not depend on the size of the file alone.
    func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        var done = 0
        while done < bytes.count {
            let length = bytes.count - done
            let step = try Self.retry {
                bytes.withUnsafeMutableBytes { buffer in
                    pread(descriptor, buffer.baseAddress.map { $0 + done }, length, off_t(offset + done))
                }
            }
            guard step > 0 else { break }
            done += step
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// Writes all bytes at an offset. After an error, some of them may have been written.
    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let length = bytes.count - done
            let step = try Self.retry {
                bytes.withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress.map { $0 + done }, length, off_t(offset + done))
                }
            }
            guard step > 0 else { throw FileError(code: ENOSPC) }
            done += step
        }
    }

    func truncate(to size: Int) throws(FileError) {
        _ = try Self.retry { ftruncate(descriptor, off_t(size)) }
    }

    /// Waits until all written data is on disk.
    func synchronize() throws(FileError) {
        #if canImport(Darwin)
            _ = try Self.retry { fsync(descriptor) }
        #else
            _ = try Self.retry { fdatasync(descriptor) }
        #endif
    }

    /// Repeats a system call as long as signals interrupt it.
    private static func retry<Number: SignedInteger>(_ call: () -> Number) throws(FileError) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = FileError()
            if error.code != EINTR { throw error }
        }
    }
}

/// A system call on a file of the queue has failed.
struct FileError: Error, Hashable {
    /// The error number, as in `errno`.
    var code: Int32 = errno

    /// A Boolean value that says whether the disk is full, or a quota or a file size limit is reached.
    var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    static let notFound = FileError(code: ENOENT)
    /// Something that is not a regular file has the file's name.
    static let notRegular = FileError(code: EINVAL)
}
