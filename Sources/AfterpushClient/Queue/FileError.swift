#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A system call on a file of the queue that failed.
struct FileError: Error, Hashable {
    /// As in `errno`.
    var code: Int32 = errno

    /// Whether there is no room: the disk, a quota or a limit on files is full.
    var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    static let notFound = FileError(code: ENOENT)
}
