package import Events
package import Postgres

/// What a team declares: apps, keys, categories, campaigns and sends.
package struct Registry: Sendable {
    let pool: ConnectionPool
    let limits: NameLimits

    /// - Parameters:
    ///   - pool: of the owner.
    ///   - limits: of what an app may declare.
    package init(pool: ConnectionPool, limits: NameLimits = NameLimits()) {
        self.pool = pool
        self.limits = limits
    }
}
