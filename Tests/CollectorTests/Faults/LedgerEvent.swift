import Foundation

/// An event as its sender wrote it down: what was sent, and what must be there afterwards.
struct LedgerEvent: Sendable {
    let id: UUID
    let json: String
    /// The columns that `content` of the audit reads back, for an event that is right.
    let content: String
    /// Whether a text was typed, which is kept apart.
    let hasText: Bool
    /// The code that a wrong event is rejected with.
    let code: String?
}
