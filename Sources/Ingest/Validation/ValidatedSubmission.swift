/// A request's events, told apart into those that are believed and those that are not.
package struct ValidatedSubmission: Sendable {
    /// In the order of the request.
    package private(set) var events: [Event] = []
    /// For each of `events` its position in the request, from 0.
    package private(set) var positions: [Int] = []
    /// In the order of the request.
    package private(set) var rejections: [Rejection] = []

    /// Events and refusals that are known already.
    init(events: [Event], rejections: [Rejection]) {
        self.events = events
        self.rejections = rejections
        positions = Array(events.indices)
    }

    init(_ submission: Submission, _ context: ValidationContext) {
        let clock = ClockCorrection(sentAt: submission.sentAt, receivedAt: context.receivedAt)
        events.reserveCapacity(submission.count)
        positions.reserveCapacity(submission.count)
        for (position, raw) in submission.events.enumerated() {
            do throws(Refusal) {
                if let flaw = raw.flaw { throw flaw.refusal }
                let fields = EventFields(
                    submission, raw, limits: context.limits, restoring: context.restoresExports)
                events.append(try Event(fields, clock, context))
                positions.append(position)
            } catch {
                rejections.append(submission.rejection(of: position, error.code, error.detail, limits: context.limits))
            }
        }
    }
}
