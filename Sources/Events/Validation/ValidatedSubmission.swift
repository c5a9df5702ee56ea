import AfterpushWire

/// A request's events, split into valid and rejected ones.
package struct ValidatedSubmission: Sendable {
    /// The valid events in the order of the request.
    package private(set) var events: [Event] = []
    /// The position in the request of each of `events`, from 0.
    package private(set) var positions: [Int] = []
    /// The rejections in the order of the request; those of suppressed events may follow at the end.
    package private(set) var rejections: [Rejection] = []

    /// Creates a result from events and rejections of an earlier validation.
    package init(events: [Event], rejections: [Rejection]) {
        self.events = events
        self.rejections = rejections
        positions = Array(events.indices)
    }

    /// Turns suppressed events into rejections.
    ///
    /// - Parameter reject: Returns the rejection of the event at a position of the request.
    package mutating func exclude(
        _ suppressionList: SuppressionList, app: Int32,
        _ reject: (_ position: Int, _ refusal: EventValidationError) -> Rejection
    ) {
        var kept: [Event] = []
        var keptPositions: [Int] = []
        for (event, position) in zip(events, positions) {
            do throws(EventValidationError) {
                try suppressionList.check(event.deviceID, app: app)
                try suppressionList.check(event.occurredAt)
                kept.append(event)
                keptPositions.append(position)
            } catch {
                rejections.append(reject(position, error))
            }
        }
        events = kept
        positions = keptPositions
        var search = suppressionList.search(ofApp: app)
        rejections = rejections.map { search.checked($0) }
    }

    init(_ submission: Submission, _ context: ValidationContext) {
        let clock = ClockCorrection(sentAt: submission.sentAt, receivedAt: context.receivedAt)
        var search = context.suppressionList.search(ofApp: context.appID)
        events.reserveCapacity(submission.count)
        positions.reserveCapacity(submission.count)
        for (position, raw) in submission.events.enumerated() {
            do throws(EventValidationError) {
                let fields = EventFields(
                    submission, raw, limits: context.limits, restoring: context.restoresExports)
                // This check comes first, because not even an invalid event of an erased device may be kept.
                let device = fields.statedDevice(context)
                try context.suppressionList.check(device, app: context.appID)
                if let flaw = raw.flaw { throw flaw.refusal }
                let event = try Event(fields, clock, context)
                if device == nil { try context.suppressionList.check(event.deviceID, app: context.appID) }
                events.append(event)
                positions.append(position)
            } catch {
                let rejection = submission.rejection(
                    of: position, error.code, error.detail, limits: context.limits)
                rejections.append(search.checked(rejection))
            }
        }
    }
}

extension EventFields {
    /// Returns the ID of the event's device if the app has erased devices.
    fileprivate func statedDevice(_ context: ValidationContext) -> String? {
        guard context.suppressionList.nameAny(ofApp: context.appID) else { return nil }
        return (try? text(.deviceID)) ?? nil
    }
}

/// Corrects times by the error of the sender's clock at the time the request arrived.
struct ClockCorrection {
    /// The microseconds to add to the sender's times, or `nil` when the request has no `sent_at`.
    private let skew: Int64?

    init(sentAt: Timestamp?, receivedAt: Timestamp) {
        skew = sentAt.map { sentAt in
            let difference = receivedAt.microseconds - sentAt.microseconds
            // Less than a minute can be the delay of the network rather than an error of the clock.
            return abs(difference) < 60_000_000 ? 0 : difference
        }
    }

    var milliseconds: Int64? { skew.map { $0 / 1_000 } }

    func corrected(_ time: Timestamp) -> Timestamp {
        Timestamp(microseconds: time.microseconds + (skew ?? 0))
    }
}
