import Files
import Foundation
import Glibc

extension BackupDirectory {
    /// Checks that only root, this program's user and the server's can replace the backups, by the owners and modes of the
    /// directory and of those above it.
    ///
    /// A restore starts PostgreSQL with the settings of a backup, so it would run a stranger's programs. A directory that
    /// does not exist yet is safe if those above it are.
    ///
    /// - Parameter configuration: The cluster, whose owner is the server's user; without one, the user of a new cluster.
    package func requireSafety(_ configuration: LocalCluster.Configuration) throws {
        let owner = LocalCluster.detected(configuration).flatMap { PrivateFiles.owner(of: $0.directory + "/postgres") }
        let user = try owner.flatMap(SystemUser.init) ?? SystemUser.forServer(wanted: configuration.postgresUser)
        try self.requireSafety(from: user)
    }

    func requireSafety(from user: SystemUser) throws(BackupError) {
        let trusted: Set<uid_t> = [0, geteuid(), user.uid]
        var directory = self.archives
        while true {
            var status = stat()
            if lstat(directory, &status) == 0 {
                let owner = status.st_uid
                guard trusted.contains(owner) else {
                    throw .foreignOwner(
                        directory: directory, owner: SystemUser(uid: owner)?.name ?? String(owner), user: user.name)
                }
                // With the sticky bit, as on /tmp, a directory can only be renamed by its owner.
                let isAbove = directory != self.archives && directory != self.path
                let isSticky = isAbove && status.st_mode & S_ISVTX != 0
                if status.st_mode & S_IWOTH != 0, !isSticky { throw .writableByAll(directory: directory) }
            }
            guard directory != "/" else { return }
            directory = (directory as NSString).deletingLastPathComponent
        }
    }
}
