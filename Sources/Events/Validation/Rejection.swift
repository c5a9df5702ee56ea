import Foundation
import JSON

/// A rejected event, as returned to its sender and stored in `rejected_events`.
package struct Rejection: Sendable, Equatable {
    /// The event's position in the request, from 0.
    package let index: Int
    /// The event's ID as sent, truncated to 256 bytes, or `nil` when it has none that is a string.
    package let eventID: String?
    package let code: RejectionCode
    /// The field and the error; includes nothing that was sent.
    package let detail: String
    /// The event as received, without NUL and at most 32 KiB; the value of `user_text` is replaced by its length.
    package let submittedEvent: String?
    /// The position in the suppression list up to which no erased device is mentioned in the event; 0 if the event was
    /// not searched. It is not stored in the spool, because the list has grown by the time the event leaves it.
    package private(set) var checkedUntil: Int64 = 0

    /// The bytes that it counts as when it is stored: those of `submittedEvent`, and 128 for its row.
    ///
    /// Without those for the row, twelve clients with 5,000 events of 7 bytes in each request delayed the events of
    /// another app by 0.2 to 0.4 s on two processors with a debug build; with them, by 0.02 s.
    package var storedBytes: Int { 128 + (submittedEvent?.utf8.count ?? 0) }

    package init(index: Int, eventID: String?, code: RejectionCode, detail: String, submittedEvent: String?) {
        self.index = index
        self.eventID = eventID
        self.code = code
        self.detail = detail
        self.submittedEvent = submittedEvent
    }
}

/// A reason for rejecting an event; the raw values are the stable codes of the public contract.
package enum RejectionCode: String, Sendable, Hashable, CaseIterable {
    case invalidJSONType = "invalid_json_type"
    case eventIDInvalid = "event_id_invalid"
    case kindUnknown = "kind_unknown"
    case kindMismatch = "kind_mismatch"
    case fieldMissing = "field_missing"
    case fieldInvalid = "field_invalid"
    case fieldTooLong = "field_too_long"
    case textInvalid = "text_invalid"
    case occurredAtInvalid = "occurred_at_invalid"
    case occurredAtOutOfRange = "occurred_at_out_of_range"
    case scopeInsufficient = "scope_insufficient"
    case receiptMissing = "receipt_missing"
    case receiptInvalid = "receipt_invalid"
    case receiptExpired = "receipt_expired"
    case receiptMismatch = "receipt_mismatch"
    case deviceSuppressed = "device_suppressed"
    case tooManyActions = "too_many_actions"
    case limitExceeded = "limit_exceeded"
    case storageRefused = "storage_refused"
}

/// The reason why an event is rejected.
package struct EventValidationError: Error {
    package let code: RejectionCode
    /// The field and the error; includes nothing that was sent.
    package let detail: String

    package init(_ code: RejectionCode, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension EventValidationError {
    /// Returns the error for a required field that is absent.
    static func missing(_ field: FieldName) -> EventValidationError {
        EventValidationError(.fieldMissing, "\(field.name) is missing")
    }
}

extension Rejection {
    package init(_ reader: inout BinaryReader) throws(BinaryFormatError) {
        index = Int(try reader.number(UInt32.self))
        eventID = try reader.optionalText()
        code = try reader.word()
        detail = try reader.text()
        submittedEvent = try reader.optionalText()
    }

    package func write(to writer: inout BinaryWriter) {
        writer.write(UInt32(clamping: index))
        writer.write(storedEventID)
        writer.write(code.rawValue)
        writer.write(detail)
        writer.write(submittedEvent)
    }
}

extension Rejection {
    /// Returns the text to store for an erased device's event: only its ID, if that is a UUID.
    static func text(ofSuppressed eventID: String?) -> String {
        guard let eventID, UUID(uuidString: eventID) != nil else { return "{}" }
        return "{\"event_id\":\"\(eventID)\"}"
    }

    /// The event's ID as it is stored. That of an erased device's event has to be a UUID, because a client could send
    /// the device's ID in its place.
    package var storedEventID: String? {
        code == .deviceSuppressed ? eventID.flatMap { UUID(uuidString: $0) == nil ? nil : $0 } : eventID
    }

    /// The same rejection after the event was searched for the devices of the suppression list.
    func checked(until position: Int64) -> Rejection {
        var rejection = self
        rejection.checkedUntil = position
        return rejection
    }

    /// Returns the rejection without what must not be kept of a list's devices, if it was not searched for all of them.
    package func searched(for list: SuppressionList, app: Int32) -> Rejection {
        guard checkedUntil < list.position else { return self }
        var search = list.search(ofApp: app)
        return search.checked(self)
    }

    /// The rejection with nothing of the event.
    var withoutEvent: Rejection {
        Rejection(index: index, eventID: eventID, code: code, detail: detail, submittedEvent: "{}")
    }

    /// The rejection of the same event after its device was erased.
    var suppressed: Rejection {
        let (code, detail) = EventValidationError.excluded(isLate: false)
        return Rejection(
            index: index, eventID: eventID, code: code, detail: detail,
            submittedEvent: Self.text(ofSuppressed: eventID))
    }
}
