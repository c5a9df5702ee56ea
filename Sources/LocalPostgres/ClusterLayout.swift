import Crypto
import Foundation

/// Where everything of a cluster is, given its base directory.
struct ClusterLayout: Sendable, Equatable {
    let base: String

    static let clusterName = "postgres"
    static let logName = "postgres.log"

    /// PostgreSQL's data directory.
    var cluster: String { "\(self.base)/\(Self.clusterName)" }
    /// The data directory while initdb fills it; renamed when complete.
    var unfinished: String { self.base + "/postgres.new" }
    var settings: String { self.base + "/postgres.conf" }
    var log: String { "\(self.base)/\(Self.logName)" }
    /// Held while one program opens or closes the cluster.
    var openingLock: String { self.base + "/opening.lock" }
    /// Held shared by every program that uses the cluster.
    var usersLock: String { self.base + "/users.lock" }
    var versionFile: String { self.cluster + "/PG_VERSION" }
    var throwawayMark: String { self.cluster + "/afterpush.throwaway" }

    var exists: Bool { FileManager.default.fileExists(atPath: self.versionFile) }

    /// The socket's directory: beside the cluster, or under /tmp if that path can't be a socket's.
    var socketDirectory: String {
        let near = self.base + "/socket"
        let name = "/.s.PGSQL.\(ClusterLayout.port)"
        // sockaddr_un holds 108 bytes, the last of which is NUL; to libpq a comma separates hosts.
        let isUsable = (near + name).utf8.count <= 107 && !near.contains(",")
        return isUsable ? near : "/tmp/afterpush-\(Self.shortHash(self.base))"
    }

    /// No TCP port: it only names the socket.
    static let port = 5432

    /// Where the cluster of `dataDirectory` lives if the server's user can't get there.
    static func fallback(for dataDirectory: String) -> ClusterLayout {
        ClusterLayout(base: "\(Self.fallbackRoot)/\(Self.shortHash(dataDirectory))")
    }

    static let fallbackRoot = "/var/lib/afterpush"

    private static func shortHash(_ path: String) -> String {
        SHA256.hash(data: Data(path.utf8)).prefix(6).map { String(format: "%02x", $0) }.joined()
    }
}
