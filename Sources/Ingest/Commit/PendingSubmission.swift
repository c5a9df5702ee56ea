package import AfterpushWire
package import Events

/// A request whose events wait to be stored.
package struct PendingSubmission: Sendable {
    package let submission: Submission
    package internal(set) var validated: ValidatedSubmission
    package let appID: Int32
    package let receivedAt: Timestamp

    package init(_ submission: Submission, _ context: ValidationContext) {
        self.submission = submission
        self.validated = submission.validated(context)
        self.appID = context.appID
        self.receivedAt = context.receivedAt
    }

    /// A request that was validated before.
    package init(_ submission: Submission, _ validated: ValidatedSubmission, appID: Int32, receivedAt: Timestamp) {
        self.submission = submission
        self.validated = validated
        self.appID = appID
        self.receivedAt = receivedAt
    }

    /// The same without what is taken no more by now.
    package func excluding(_ suppressionList: SuppressionList) -> PendingSubmission {
        var remaining = self
        remaining.validated.exclude(suppressionList, app: appID) { position, refusal in
            submission.rejection(of: position, refusal.code, refusal.detail)
        }
        return remaining
    }

    /// How much of a group it takes up.
    var weight: Int { max(1, submission.count) }
}
