/// A request's events, split into valid and rejected ones.
package struct ValidatedSubmission: Sendable {
    /// In the order of the request.
    package private(set) var events: [Event] = []
    /// For each of `events` its position in the request, from 0.
    package private(set) var positions: [Int] = []
    /// In the order of the request.
    package private(set) var rejections: [Rejection] = []

    /// Events and refusals that are known already.
    package init(events: [Event], rejections: [Rejection]) {
        self.events = events
        self.rejections = rejections
        positions = Array(events.indices)
    }

    /// Turns suppressed events into rejections; `body` makes one for the event at a position of the request.
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
        guard suppressionList.nameAny(ofApp: app) else { return }
        rejections = rejections.map { rejection in
            let isNamed = rejection.statedDevice.map { suppressionList.names($0, app: app) } ?? false
            return isNamed ? rejection.suppressed : rejection
        }
    }

    init(_ submission: Submission, _ context: ValidationContext) {
        let clock = ClockCorrection(sentAt: submission.sentAt, receivedAt: context.receivedAt)
        events.reserveCapacity(submission.count)
        positions.reserveCapacity(submission.count)
        for (position, raw) in submission.events.enumerated() {
            do throws(EventValidationError) {
                let fields = EventFields(
                    submission, raw, limits: context.limits, restoring: context.restoresExports)
                // First of all: of an erased device not even what is wrong with its event may be kept.
                let device = fields.statedDevice(context)
                try context.suppressionList.check(device, app: context.appID)
                if let flaw = raw.flaw { throw flaw.refusal }
                let event = try Event(fields, clock, context)
                if device == nil { try context.suppressionList.check(event.deviceID, app: context.appID) }
                events.append(event)
                positions.append(position)
            } catch {
                rejections.append(submission.rejection(of: position, error.code, error.detail, limits: context.limits))
            }
        }
    }
}

extension EventFields {
    /// The device as it is stated, if it may be one that was erased.
    fileprivate func statedDevice(_ context: ValidationContext) -> String? {
        guard context.suppressionList.nameAny(ofApp: context.appID) else { return nil }
        return (try? text(.deviceID)) ?? nil
    }
}

extension Rejection {
    /// The device that the refused event states, if it can be read.
    fileprivate var statedDevice: String? {
        guard let text = submittedEvent, let submission = try? Submission.read(Array(text.utf8), as: .json),
            let event = submission.events.first
        else { return nil }
        return (try? EventFields(submission, event, limits: Limits()).text(.deviceID)) ?? nil
    }
}
