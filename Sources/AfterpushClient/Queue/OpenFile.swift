#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A file that is open as long as this is there.
///
/// Locks are those of flock: between programs, and between two of these in one program. They are held for a few
/// milliseconds at most: iOS ends an app that is suspended while it holds one in a shared directory.
final class OpenFile: Sendable {
    private let descriptor: Int32

    init(_ path: String, _ flags: Int32) throws(FileError) {
        descriptor = try Self.repeated { open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600) }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for an exclusive lock.
    func lock() throws(FileError) {
        _ = try Self.repeated { flock(descriptor, LOCK_EX) }
    }

    /// Whether nobody else had a lock, so that this now has it.
    func lockAtOnce() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    func unlock() {
        _ = flock(descriptor, LOCK_UN)
    }

    /// What the system knows of it: its size, when it was last written, and whether it still has a name.
    func state() throws(FileError) -> (size: Int, modified: Int, isLinked: Bool) {
        var found = stat()
        _ = try Self.repeated { fstat(descriptor, &found) }
        #if canImport(Darwin)
            let modified = found.st_mtimespec.tv_sec
        #else
            let modified = found.st_mtim.tv_sec
        #endif
        return (Int(found.st_size), Int(modified), found.st_nlink > 0)
    }

    /// At most so many bytes from a place on, fewer only at the end.
    func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        var done = 0
        while done < bytes.count {
            let length = bytes.count - done
            let step = try Self.repeated {
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

    /// All of it, or an error; what was written before the error stays.
    func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let length = bytes.count - done
            let step = try Self.repeated {
                bytes.withUnsafeBytes { buffer in
                    pwrite(descriptor, buffer.baseAddress.map { $0 + done }, length, off_t(offset + done))
                }
            }
            guard step > 0 else { throw FileError(code: ENOSPC) }
            done += step
        }
    }

    func truncate(to size: Int) throws(FileError) {
        _ = try Self.repeated { ftruncate(descriptor, off_t(size)) }
    }

    /// Waits until what was written is on the disk.
    func synchronize() throws(FileError) {
        #if canImport(Darwin)
            _ = try Self.repeated { fsync(descriptor) }
        #else
            _ = try Self.repeated { fdatasync(descriptor) }
        #endif
    }

    /// Again as long as a signal interrupts it.
    private static func repeated<Number: SignedInteger>(_ call: () -> Number) throws(FileError) -> Number {
        while true {
            let result = call()
            if result >= 0 { return result }
            let error = FileError()
            if error.code != EINTR { throw error }
        }
    }
}
