import Files
import Foundation
import Glibc
import Logging

/// The log of the server, `postgres.log`. Whoever can cause errors in the server can make it grow, so it is rotated.
///
/// Its content moves to `postgres.log.1`, of which there is one, and the file is emptied: the server keeps it open and
/// appends to it. What the server writes in between is lost.
struct ServerLog: Sendable {
    private let path: String
    private let owner: SystemUser
    private let limit: Int
    private let interval: Duration

    init(_ server: ClusterServer) {
        path = server.layout.log
        owner = server.place.user
        limit = server.configuration.logLimit
        interval = server.configuration.logCheckInterval
    }

    /// Starts a task that rotates the log whenever it is too large, until it is cancelled.
    func rotation(logger: Logger) -> Task<Void, Never> {
        Task {
            var hasFailed = false
            while (try? await Task.sleep(for: self.interval)) != nil {
                do {
                    try self.rotateIfLarge()
                    hasFailed = false
                } catch {
                    // A full disk or a missing permission lasts, so it is logged once.
                    if !hasFailed {
                        logger.warning("the log of PostgreSQL could not be rotated", metadata: ["error": "\(error)"])
                    }
                    hasFailed = true
                }
            }
        }
    }

    func rotateIfLarge() throws(LocalClusterError) {
        try self.owner.act(at: self.path) { () throws(LocalClusterError) in try self.rotateWithinRights() }
    }

    private func rotateWithinRights() throws(LocalClusterError) {
        let log = Glibc.open(self.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
        guard log >= 0 else { return }
        defer { Glibc.close(log) }
        // Another program that uses the same server may be rotating it.
        guard self.isLarge(log), flock(log, LOCK_EX | LOCK_NB) == 0, self.isLarge(log) else { return }
        let old = self.path + ".1"
        unlink(old)
        let copy = Glibc.open(old, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o640)
        try PrivateFiles.check(copy >= 0, old)
        defer { Glibc.close(copy) }
        if SystemUser.isRoot { try PrivateFiles.check(fchown(copy, self.owner.uid, self.owner.gid) == 0, old) }
        // The newest part, so that the copy is bounded even if this comes late.
        var status = stat()
        try PrivateFiles.check(fstat(log, &status) == 0, self.path)
        var offset = max(0, status.st_size - 2 * self.limit)
        while offset < status.st_size {
            let count = sendfile(copy, log, &offset, status.st_size - offset)
            // Without room for the copy, the log is emptied all the same.
            if count == 0 || count < 0 && errno != EINTR { break }
        }
        try PrivateFiles.check(ftruncate(log, 0) == 0, self.path)
    }

    private func isLarge(_ log: Int32) -> Bool {
        var status = stat()
        return fstat(log, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size > self.limit
    }
}
