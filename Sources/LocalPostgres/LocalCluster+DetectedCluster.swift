import Foundation

extension LocalCluster {
    /// A cluster as it was found: nothing is made, started or locked.
    package struct DetectedCluster: Sendable {
        /// The directory that holds `postgres/` and `postgres.log`.
        package let directory: String
        package let conninfo: String
        package let isRunning: Bool
    }

    /// Returns the cluster of a data directory; nil if there is none.
    package static func sighting(_ configuration: Configuration) -> DetectedCluster? {
        let path = URL(fileURLWithPath: configuration.dataDirectory).standardizedFileURL.path
        let near = ClusterLayout(base: PrivateFiles.resolved(path))
        guard let layout = [near, ClusterLayout.fallback(for: near.base)].first(where: \.exists) else { return nil }
        return DetectedCluster(
            directory: layout.base, conninfo: ClusterServer.conninfo(layout, database: configuration.databaseName),
            isRunning: Postmaster.running(in: layout.cluster) != nil)
    }
}
