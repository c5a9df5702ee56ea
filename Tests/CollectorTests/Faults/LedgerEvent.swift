import Foundation

/// An event in the ledger: what was sent, and what must be stored afterwards.
struct LedgerEvent: Sendable {
    let id: UUID
    let json: String
    /// The columns of a valid event that the audit reads back.
    let content: String
    /// Whether the event has typed text, which is stored separately.
    let hasText: Bool
    /// The rejection code of an invalid event.
    let code: String?
}
