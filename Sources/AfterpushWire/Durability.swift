/// Where acknowledged events are safe.
public enum Durability: String, Sendable, Hashable, Codable {
    /// In PostgreSQL.
    case committed
    /// In the collector's local spool, until PostgreSQL is back.
    case spooled
}
