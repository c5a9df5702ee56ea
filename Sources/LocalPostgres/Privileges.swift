import Files
import Glibc
import Synchronization

/// The rights of a program that root started.
package enum Privileges {
    private static let given = Mutex<(user: String, directory: String)?>(nil)

    /// The user whose rights the program has instead of root's, and the directory that he owns; nil if it has its own.
    package static var owner: (user: String, directory: String)? { self.given.withLock { $0 } }

    /// Drops root's rights permanently in favor of a directory's owner, if root started the program and the directory
    /// belongs to another user.
    ///
    /// The owner of a directory can replace what is in it with links at any time, and so direct root's reads, writes and
    /// deletions to any file. With the owner's rights, the program can do nothing that the owner can't.
    ///
    /// - Parameters:
    ///   - directories: The directories that the program works in. The first one decides that exists and does not belong to
    ///     root.
    ///   - serverUser: The configured user of the cluster, or `nil` for the default. Only he, of those who aren't root, may
    ///     have made a directory where anybody can.
    /// - Throws: An error if users other than root and the owner can change or replace the directory. As root, because only
    ///   that looks at groups.
    package static func giveUp(forOwnersOf directories: [String], serverUser: String? = nil) throws {
        guard SystemUser.isRoot else { return }
        for directory in directories {
            var status = stat()
            guard stat(directory, &status) == 0, status.st_uid != 0 else { continue }
            let user =
                SystemUser(uid: status.st_uid)
                ?? SystemUser(name: String(status.st_uid), uid: status.st_uid, gid: status.st_gid)
            let makers = [0] + ((try? SystemUser.forServer(wanted: serverUser)).map { [$0.uid] } ?? [])
            do throws(TrustedPath.Untrusted) {
                try TrustedPath.require(directory, owners: [user.uid], above: [0, user.uid], makers: Set(makers))
            } catch {
                throw LocalClusterError.untrusted(directory: directory, user: user.name, reason: error.description)
            }
            try user.become()
            return self.given.withLock { $0 = (user.name, directory) }
        }
    }
}

extension SystemUser {
    /// Makes this program one of the user, in all its threads.
    fileprivate func become() throws(LocalClusterError) {
        // Without an account, the user has no other groups.
        let hasGroups = initgroups(self.name, self.gid) == 0 || setgroups(0, nil) == 0
        guard hasGroups, setgid(self.gid) == 0, setuid(self.uid) == 0, geteuid() == self.uid, setuid(0) != 0 else {
            throw .noPermission(path: "the rights of \(self.name)", reason: String(cString: strerror(errno)))
        }
    }
}
