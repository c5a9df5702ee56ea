package import AfterpushWire

/// A request whose events wait to be stored.
package struct PendingSubmission: Sendable {
    package let submission: Submission
    package let validated: ValidatedSubmission
    package let appID: Int32
    package let receivedAt: Timestamp

    package init(_ submission: Submission, _ context: ValidationContext) {
        self.submission = submission
        self.validated = submission.validated(context)
        self.appID = context.appID
        self.receivedAt = context.receivedAt
    }

    /// How much of a group it takes up.
    var weight: Int { max(1, submission.count) }
}
