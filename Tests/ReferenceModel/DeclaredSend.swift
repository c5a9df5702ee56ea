package import Foundation

/// A row of `POST /v1/sends`: so many were sent, to whom it does not say.
package struct DeclaredSend: Hashable, Sendable {
    package var sendID: UUID
    package var campaign: Identifier
    package var variant: Identifier?
    package var category: Identifier?
    package var categoryVersion: Int?
    package var platform: Identifier?
    package var count: Int
    package var failed: Int
    /// Microseconds since the Unix epoch.
    package var sentAt: Int

    package init(sendID: UUID, campaign: Identifier, count: Int, failed: Int = 0, sentAt: Int) {
        self.sendID = sendID
        self.campaign = campaign
        self.count = count
        self.failed = failed
        self.sentAt = sentAt
    }
}
