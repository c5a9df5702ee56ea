import Files
import Glibc

/// A lock on a file, which this program holds until it releases the lock or ends, even by a crash.
///
/// It is safe to share: the descriptor never changes, and flock is a system call.
final class FileLock: Sendable {
    private let descriptor: Int32

    private init(_ path: String, owner: SystemUser?) throws(LocalClusterError) {
        // Without O_CLOEXEC the server would inherit the descriptor and hold the lock as long as it runs.
        self.descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        try PrivateFiles.check(self.descriptor >= 0, path)
        // Anyone who can open the file can hold the lock, and the mode in `open` applies only to a new file.
        try PrivateFiles.check(fchmod(self.descriptor, 0o600) == 0, path)
        guard SystemUser.isRoot, let owner else { return }
        try PrivateFiles.check(fchown(self.descriptor, owner.uid, owner.gid) == 0, path)
    }

    deinit {
        Glibc.close(self.descriptor)
    }

    /// Waits for an exclusive or a shared lock.
    ///
    /// - Parameter owner: The user to whom root gives the file, or nil for this program's user.
    static func take(
        _ path: String, exclusive: Bool, within timeout: Duration, owner: SystemUser? = nil
    ) async throws -> FileLock {
        let lock = try (owner ?? .current).act(at: path) { () throws(LocalClusterError) in
            try FileLock(path, owner: owner)
        }
        let end = ContinuousClock.now + timeout
        // A blocking flock would block one of Swift's threads.
        while flock(lock.descriptor, (exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            guard ContinuousClock.now < end else { throw LocalClusterError.locked(path: path) }
            try await Task.sleep(for: .milliseconds(20))
        }
        return lock
    }

    /// Makes a shared lock exclusive if no other process holds it; otherwise releases it.
    ///
    /// If several processes try at the same time, the last one succeeds, because the others have released theirs.
    func becomeExclusive() -> Bool {
        flock(self.descriptor, LOCK_EX | LOCK_NB) == 0
    }
}
