extension LocalCluster {
    /// Where the cluster lives and how it runs.
    ///
    /// | property | setting | meaning |
    /// | --- | --- | --- |
    /// | `dataDirectory` | `AFTERPUSH_DATA_DIR` | holds `postgres/`, `socket/`, `postgres.log` |
    /// | `binDirectory` | `AFTERPUSH_POSTGRES_BIN` | where initdb and postgres are; else Debian's newest, else PATH |
    /// | `postgresUser` | `AFTERPUSH_POSTGRES_USER` | as root: the user to run as; else `postgres`, else `nobody` |
    package struct Configuration: Sendable {
        package var dataDirectory = ".afterpush"
        package var databaseName = "afterpush"
        package var binDirectory: String?
        package var postgresUser: String?
        package var maxConnections = 100
        /// Crash recovery counts too.
        package var startTimeout: Duration = .seconds(300)
        /// For tests: nothing is flushed to disk, so a crash of the machine loses the cluster.
        ///
        /// A cluster is throwaway from the beginning or never.
        package var throwaway = false

        package init(dataDirectory: String = ".afterpush") {
            self.dataDirectory = dataDirectory
        }
    }
}
