package import AfterpushWire
package import Events

/// What became of the events of one request.
package struct SubmissionOutcome: Sendable, Equatable {
    /// New ones.
    package var accepted: Int
    /// Those that had been stored before, or stood in the request twice.
    package var duplicates = 0
    package var rejections: [Rejection]
    /// Where the new ones and the rejections are safe.
    package var durability = Durability.committed

    package init(accepted: Int, duplicates: Int = 0, rejections: [Rejection]) {
        self.accepted = accepted
        self.duplicates = duplicates
        self.rejections = rejections
    }
}
