import Crypto
import Foundation

/// The paths of a cluster's files, all derived from its base directory.
struct ClusterLayout: Sendable, Equatable {
    let base: String

    static let clusterName = "postgres"
    static let logName = "postgres.log"

    /// PostgreSQL's data directory.
    var cluster: String { "\(self.base)/\(Self.clusterName)" }
    /// The data directory while initdb creates it; it is renamed when complete.
    var unfinished: String { self.base + "/postgres.new" }
    var settings: String { self.base + "/postgres.conf" }
    /// The rules for connections, if report logins can reach the server over TCP.
    var rules: String { self.base + "/postgres.hba" }
    var log: String { "\(self.base)/\(Self.logName)" }
    /// The lock that a program holds while it opens or closes the cluster.
    var openingLock: String { self.base + "/opening.lock" }
    /// The lock that every program shares while it uses the cluster.
    var usersLock: String { self.base + "/users.lock" }
    var versionFile: String { self.cluster + "/PG_VERSION" }
    var throwawayMark: String { self.cluster + "/afterpush.throwaway" }
    /// The script that archives the write-ahead log. It exists as long as the cluster is backed up.
    var archiveScript: String { self.cluster + "/afterpush.archive" }
    /// The file of the backup directories that the cluster comes from.
    var originsFile: String { self.cluster + "/afterpush.backups" }
    /// The directory in which a restore builds the cluster that it then moves to its place.
    var restoring: ClusterLayout { ClusterLayout(base: self.base + "/restoring") }
    /// The directory in which a backup is restored for its verification.
    var verifying: ClusterLayout { ClusterLayout(base: self.base + "/verifying") }
    /// The directory in which an upgrade makes the new cluster.
    var upgrading: ClusterLayout { ClusterLayout(base: self.base + "/upgrading") }
    var restoreScript: String { self.base + "/restore-wal" }

    var exists: Bool { FileManager.default.fileExists(atPath: self.versionFile) }

    /// The file with the name of the socket's directory under /tmp, if another user had taken the first one.
    var socketName: String { self.base + "/socket.name" }

    /// The socket's directory, next to the cluster, or under /tmp if that path is not usable for a socket.
    var socketDirectory: String {
        let near = self.base + "/socket"
        let name = "/.s.PGSQL.\(ClusterLayout.port)"
        // sockaddr_un has 108 bytes, the last of which is NUL; in libpq a comma separates hosts.
        let isUsable = (near + name).utf8.count <= 107 && !near.contains(",")
        return isUsable ? near : "/tmp/afterpush-\(self.otherSocketName ?? Self.shortHash(self.base))"
    }

    private var otherSocketName: String? {
        guard let name = try? PrivateFiles.text(of: self.socketName, limit: 64) else { return nil }
        return name.wholeMatch(of: /[0-9a-f]{32}/) == nil ? nil : name
    }

    /// Makes the socket's directory, or checks that it is private.
    ///
    /// Any user can make something of the name under /tmp first, so another name is then chosen and written down.
    func makeSocketDirectory(_ files: PrivateFiles) throws(LocalClusterError) {
        do throws(LocalClusterError) {
            try files.makePrivateDirectory(self.socketDirectory)
        } catch .unsafeDirectory(let path) where path.hasPrefix("/tmp/") {
            let name = (0..<16).map { _ in String(format: "%02x", UInt8.random(in: 0...255)) }.joined()
            try files.write(name, to: self.socketName)
            try files.makePrivateDirectory(self.socketDirectory)
        }
    }

    /// The port in the socket's name, and of the address for report logins.
    static let port = 5432

    /// Returns the layout of the cluster for `dataDirectory` if the server's user can't access that directory.
    static func fallback(for dataDirectory: String) -> ClusterLayout {
        ClusterLayout(base: "\(Self.fallbackRoot)/\(Self.shortHash(dataDirectory))")
    }

    /// Not a directory of the package, which makes its own user the owner of those, and deletes them when it is purged.
    static let fallbackRoot = "/var/lib/afterpush-clusters"

    private static func shortHash(_ path: String) -> String {
        SHA256.hash(data: Data(path.utf8)).prefix(6).map { String(format: "%02x", $0) }.joined()
    }
}
