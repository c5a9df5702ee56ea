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
        // Before anything is made there.
        var status = stat()
        if lstat(absolute, &status) != 0 { try Self.requireSafety(of: absolute, .current) }
        try own.makeDirectory(absolute, mode: SystemUser.isRoot ? 0o711 : 0o700)
        let near = ClusterLayout(base: PrivateFiles.resolved(absolute))
        let away = ClusterLayout.fallback(for: near.base)
        for layout in SystemUser.isRoot ? [near, away] : [near] where layout.exists {
            let location = try await Self.existing(layout)
            try Self.requireSafety(of: absolute, location.user)
            try Self.requireSafety(of: layout.base, location.user)
            return location
        }
        let user = try SystemUser.forServer(wanted: configuration.postgresUser)
        try Self.requireSafety(of: absolute, user)
        guard try await !Self.canReach(near.base, user) else { return ClusterLocation(layout: near, user: user) }
        try own.makeDirectory(ClusterLayout.fallbackRoot, mode: 0o755)
        try Self.requireSafety(of: away.base, user)
        try own.makeDirectory(away.base, mode: 0o711)
        try Self.requireSafety(of: away.base, user)
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

    /// Requires that the data directory belongs to the program's user or the server's, and that nobody else can change or
    /// replace it. Anyone else could exchange the files with which the server starts, and those that the program opens.
    private static func requireSafety(of directory: String, _ user: SystemUser) throws(LocalClusterError) {
        do throws(TrustedPath.Untrusted) {
            // Root does not trust the server's user above: the directory is still root's, and root goes on as root.
            try TrustedPath.require(directory, owners: [geteuid(), user.uid], above: [0, geteuid()])
        } catch {
            let isItself = error.path == PrivateFiles.resolved(directory)
            switch error.reason {
            case .owner(let owner) where isItself: throw .foreignOwner(directory: error.path, owner: owner)
            case .writableByAll where isItself: throw .writableByAll(directory: error.path)
            default: throw .replaceable(directory: directory, reason: error.description)
            }
        }
    }

    /// Requires the same of a directory before it is known whether it has a cluster.
    static func requireSafety(of configuration: LocalCluster.Configuration) throws(LocalClusterError) {
        let absolute = URL(fileURLWithPath: configuration.dataDirectory).standardizedFileURL.path
        let near = ClusterLayout(base: PrivateFiles.resolved(absolute))
        let layout = [near, ClusterLayout.fallback(for: near.base)].first(where: \.exists)
        let owner = layout.flatMap { PrivateFiles.owner(of: $0.cluster) }.flatMap(SystemUser.init)
        for path in [absolute] + (layout.map { [$0.base] } ?? []) {
            try Self.requireSafety(of: path, owner ?? .current)
        }
    }

    /// Tests access as the user, because permissions depend on more than the mode bits.
    private static func canReach(_ directory: String, _ user: SystemUser) async throws -> Bool {
        guard SystemUser.isRoot else { return true }
        return try await PostgresTool(directory: "/usr/bin", user: user).succeeds("test", ["-x", directory])
    }
}
