package import AfterpushWire

/// Where collectors state what waits in their spools.
package protocol SpoolStatusStore: Sendable {
    /// - Parameters:
    ///   - place: host and path of the spool.
    ///   - oldest: when the oldest event that waits was received; nil if none waits.
    func put(place: String, events: Int, oldest: Timestamp?) async throws
}
