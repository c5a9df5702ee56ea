package import Postgres

/// What a team declares: apps, keys, categories, campaigns and sends.
package struct Registry: Sendable {
    let pool: ConnectionPool

    /// - Parameter pool: of the owner.
    package init(pool: ConnectionPool) {
        self.pool = pool
    }
}
