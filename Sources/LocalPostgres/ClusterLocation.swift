import Foundation
import Logging

/// Where a cluster lives and whose it is: the same answer each time, for every program that asks.
struct ClusterLocation: Sendable {
    let layout: ClusterLayout
    /// The owner of the files, and the user that the server runs as.
    let user: SystemUser

    /// An existing cluster, else the data directory, else the place under /var/lib that root keeps for it.
    static func find(_ configuration: LocalCluster.Configuration, logger: Logger) async throws -> ClusterLocation {
        let absolute = URL(fileURLWithPath: configuration.dataDirectory).standardizedFileURL.path
        // Only root's directory needs to let another user through.
        try PrivateFiles.makeDirectory(absolute, mode: SystemUser.isRoot ? 0o711 : 0o700)
        let near = ClusterLayout(base: PrivateFiles.resolved(absolute))
        let away = ClusterLayout.fallback(for: near.base)
        for layout in SystemUser.isRoot ? [near, away] : [near] where layout.exists {
            return try await Self.existing(layout)
        }
        let user = try SystemUser.forServer(wanted: configuration.postgresUser)
        guard try await !Self.canReach(near.base, user) else { return ClusterLocation(layout: near, user: user) }
        try PrivateFiles.makeDirectory(ClusterLayout.fallbackRoot, mode: 0o755)
        try PrivateFiles.makeDirectory(away.base, mode: 0o711)
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

    /// Asks the kernel, as the user: permissions may come from more than the mode bits.
    private static func canReach(_ directory: String, _ user: SystemUser) async throws -> Bool {
        guard SystemUser.isRoot else { return true }
        return try await PostgresTool(directory: "/usr/bin", user: user).succeeds("test", ["-x", directory])
    }
}
