package import AfterpushWire
package import Events

/// A validated request whose events wait to be stored.
package struct PendingSubmission: Sendable {
    package let submission: Submission
    package internal(set) var validated: ValidatedSubmission
    package let appID: Int32
    package let receivedAt: Timestamp
    /// Whether the events came with an ingest key, which is public.
    package let isPublic: Bool
    /// The position in the suppression list up to which the events were compared with it.
    package private(set) var listPosition: Int64

    package init(_ submission: Submission, _ context: ValidationContext) {
        self.submission = submission
        self.validated = submission.validated(context)
        self.appID = context.appID
        self.receivedAt = context.receivedAt
        self.isPublic = context.scope == .ingest
        self.listPosition = context.suppressionList.position
    }

    /// Wraps a request that was validated before.
    package init(_ submission: Submission, _ validated: ValidatedSubmission, appID: Int32, receivedAt: Timestamp) {
        self.submission = submission
        self.validated = validated
        self.appID = appID
        self.receivedAt = receivedAt
        self.isPublic = false
        self.listPosition = 0
    }

    /// Returns the request without the events that the suppression list now rejects.
    package func excluding(_ suppressionList: SuppressionList) -> PendingSubmission {
        var remaining = self
        remaining.listPosition = suppressionList.position
        remaining.validated.exclude(suppressionList, app: appID) { position, refusal in
            submission.rejection(of: position, refusal.code, refusal.detail)
        }
        return remaining
    }

    /// The share of a group's size and of the queue's capacity that the request takes: its events, at least 1.
    var weight: Int { max(1, submission.count) }
}
