import Files
import Foundation
import Glibc

extension BackupDirectory {
    /// Checks that only root, this program's user and the server's can replace the backups, by the owners and modes of
    /// the directory and of those above it, and by the owners of links on the way.
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
        do throws(TrustedPath.Untrusted) {
            for path in [self.given, self.path, self.archives] {
                try TrustedPath.require(path, owners: trusted, above: trusted)
            }
        } catch {
            switch error.reason {
            case .owner(let owner), .maker(let owner):
                throw .foreignOwner(directory: error.path, owner: owner, user: user.name)
            case .writableByAll: throw .writableByAll(directory: error.path)
            case .writableByGroup(let group): throw .writableByGroup(directory: error.path, group: group)
            case .tooManyLinks: throw .noDirectory(error.path)
            }
        }
    }
}
