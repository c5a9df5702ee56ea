import Foundation

/// The variables of the environment with which libpq completes connection strings, such as `PGSERVICE` and `PGTZ`.
package enum ConnectionEnvironment {
    /// Removes them all, so that they have no effect on the connections of this process.
    ///
    /// No parameter of a connection string does that for all of them. Call it before other threads read the environment.
    package static func clear() {
        for name in ProcessInfo.processInfo.environment.keys where name.hasPrefix("PG") { unsetenv(name) }
    }
}
