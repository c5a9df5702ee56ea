/// The base of rates that is asked for.
package enum BaseChoice: String, CaseIterable, Sendable {
    case auto
    case sent
    case confirmed
}

/// The base of rates that a report has (decision D5).
enum Base: String {
    case sent
    case confirmed
    case none
}
