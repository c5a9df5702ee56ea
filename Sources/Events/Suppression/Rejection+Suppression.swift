import JSON

extension Rejection {
    /// What is kept of an erased device's event: its id, if that looks like one.
    static func text(ofSuppressed eventID: String?) -> String {
        guard let eventID, eventID.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.hexValue != nil }) else {
            return "{}"
        }
        return "{\"event_id\":\"\(eventID)\"}"
    }

    /// The same, of a device that was erased since.
    var suppressed: Rejection {
        let (code, detail) = EventValidationError.excluded(isLate: false)
        return Rejection(
            index: index, eventID: eventID, code: code, detail: detail,
            submittedEvent: Self.text(ofSuppressed: eventID))
    }
}
