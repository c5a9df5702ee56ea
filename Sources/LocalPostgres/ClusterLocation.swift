import Files
import Foundation
import Glibc
import Logging

/// The directory and the owner of a cluster. Every program finds the same location each time.
struct ClusterLocation: Sendable {
    let layout: ClusterLayout
    /// The owner of the files, which the server runs as.
    let user: SystemUser

    var files: PrivateFiles { PrivateFiles(user: self.user) }

    /// Finds an existing cluster, or the location for a new one: the data directory, or one under /var/lib/afterpush if
    /// the program is root and the server's user can't access the data directory.
    static func find(_ configuration: LocalCluster.Configuration, logger: Logger) async throws -> ClusterLocation {
        let absolute = URL(fileURLWithPath: configuration.dataDirectory).standardizedFileURL.path
        // Only root runs the server as another user, who needs access to the directory.
        let own = PrivateFiles(user: .current)
        try own.makeDirectory(absolute, mode: SystemUser.isRoot ? 0o711 : 0o700)
        let near = ClusterLayout(base: PrivateFiles.resolved(absolute))
        let away = ClusterLayout.fallback(for: near.base)
        for layout in SystemUser.isRoot ? [near, away] : [near] where layout.exists {
            let location = try await Self.existing(layout)
            try Self.requireSafety(of: near.base, location.user)
            return location
        }
        let user = try SystemUser.forServer(wanted: configuration.postgresUser)
        try Self.requireSafety(of: near.base, user)
        guard try await !Self.canReach(near.base, user) else { return ClusterLocation(layout: near, user: user) }
        try own.makeDirectory(ClusterLayout.fallbackRoot, mode: 0o755)
        try own.makeDirectory(away.base, mode: 0o711)
        logger.notice(
            "the database is in another directory, because its user can't access the data directory",
            metadata: ["user": "\(user.name)", "data_directory": "\(near.base)", "database": "\(away.base)"])
        return ClusterLocation(layout: away, user: user)
    }

    private static func existing(_ layout: ClusterLayout) async throws -> ClusterLocation {
        let owner = PrivateFiles.owner(of: layout.versionFile) ?? 0
        let name = SystemUser(uid: owner)?.name ?? String(owner)
        guard let user = SystemUser(uid: owner) ?? (owner == geteuid() ? .current : nil),
            SystemUser.isRoot ? owner != 0 : owner == geteuid()
        else { throw LocalClusterError.foreignOwner(directory: layout.cluster, owner: name) }
        guard try await Self.canReach(layout.base, user) else {
            throw LocalClusterError.unreachable(directory: layout.base, user: user.name)
        }
        return ClusterLocation(layout: layout, user: user)
    }

    /// Requires that the data directory belongs to the program's user or the server's, and that not all users can change
    /// it. Anyone else could replace the files with which the server starts.
    private static func requireSafety(of directory: String, _ user: SystemUser) throws(LocalClusterError) {
        var status = stat()
        // A symbolic link can name nothing yet, and something of another user later.
        try PrivateFiles.check(stat(directory, &status) == 0, directory)
        let owner = status.st_uid
        guard owner == geteuid() || owner == user.uid else {
            throw .foreignOwner(directory: directory, owner: SystemUser(uid: owner)?.name ?? String(owner))
        }
        if status.st_mode & S_IWOTH != 0 { throw .writableByAll(directory: directory) }
    }

    /// Tests access as the user, because permissions depend on more than the mode bits.
    private static func canReach(_ directory: String, _ user: SystemUser) async throws -> Bool {
        guard SystemUser.isRoot else { return true }
        return try await PostgresTool(directory: "/usr/bin", user: user).succeeds("test", ["-x", directory])
    }
}
