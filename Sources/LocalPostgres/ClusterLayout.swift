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
    /// The directory in which a restore builds the cluster that it then moves to its place.
    var restoring: ClusterLayout { ClusterLayout(base: self.base + "/restoring") }
    /// The directory in which a backup is restored for its verification.
    var verifying: ClusterLayout { ClusterLayout(base: self.base + "/verifying") }
    /// The directory in which an upgrade makes the new cluster.
    var upgrading: ClusterLayout { ClusterLayout(base: self.base + "/upgrading") }
    var restoreScript: String { self.base + "/restore-wal" }

    var exists: Bool { FileManager.default.fileExists(atPath: self.versionFile) }

    /// The socket's directory, next to the cluster, or under /tmp if that path is not usable for a socket.
    var socketDirectory: String {
        let near = self.base + "/socket"
        let name = "/.s.PGSQL.\(ClusterLayout.port)"
        // sockaddr_un has 108 bytes, the last of which is NUL; in libpq a comma separates hosts.
        let isUsable = (near + name).utf8.count <= 107 && !near.contains(",")
        return isUsable ? near : "/tmp/afterpush-\(Self.shortHash(self.base))"
    }

    /// The port in the socket's name, and of the address for report logins.
    static let port = 5432

    /// Returns the layout of the cluster for `dataDirectory` if the server's user can't access that directory.
    static func fallback(for dataDirectory: String) -> ClusterLayout {
        ClusterLayout(base: "\(Self.fallbackRoot)/\(Self.shortHash(dataDirectory))")
    }

    static let fallbackRoot = "/var/lib/afterpush"

    private static func shortHash(_ path: String) -> String {
        SHA256.hash(data: Data(path.utf8)).prefix(6).map { String(format: "%02x", $0) }.joined()
    }
}
