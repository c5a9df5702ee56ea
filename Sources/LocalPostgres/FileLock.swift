import Glibc

/// A lock on a file, held by this program until it is released or the program ends, however it ends.
///
/// Safe to share: the descriptor never changes, and flock is a system call.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(_ path: String) throws(LocalClusterError) {
        // Close-on-exec: a server that inherited the descriptor would hold the lock for ever.
        self.descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        try PrivateFiles.check(self.descriptor >= 0, path)
    }

    deinit {
        Glibc.close(self.descriptor)
    }

    /// Waits for an exclusive or a shared lock.
    static func take(_ path: String, exclusive: Bool, within timeout: Duration) async throws -> FileLock {
        let lock = try FileLock(path)
        let end = ContinuousClock.now + timeout
        // flock itself would block one of Swift's threads.
        while flock(lock.descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { throw LocalClusterError.locked(path: path) }
            try await Task.sleep(for: .milliseconds(20))
        }
        return lock
    }

    /// Makes a shared lock exclusive if no other process holds it; otherwise releases it.
    ///
    /// Of several that try at the same time the last one wins: each has let go before it is refused.
    func becomeExclusive() -> Bool {
        flock(self.descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
