/// How many events were forged, and what the collector is to do about them.
package struct ForgedTruth: Sendable, Equatable, Codable {
    /// Rejected, by the reason's stable name.
    package private(set) var rejected: [String: Int] = [:]
    /// Stored, but not verified: without a receipt, at an app that does not require one.
    package private(set) var unverified = 0
    /// Not looked at, for their key.
    package private(set) var refused = 0

    init(_ forgeries: [Forgery]) {
        for forgery in forgeries {
            if let reason = forgery.rejection {
                rejected[reason, default: 0] += 1
            } else if forgery.kind == .unsigned {
                unverified += 1
            } else {
                refused += 1
            }
        }
    }
}
