import JSON

extension Submission {
    /// Validates every event.
    package func validated(_ context: ValidationContext) -> ValidatedSubmission {
        ValidatedSubmission(self, context)
    }

    /// Returns a rejection of the event at a position of the request.
    package func rejection(
        of position: Int, _ code: RejectionCode, _ detail: String, limits: Limits = Limits()
    ) -> Rejection {
        let event = events[position]
        let eventID = eventID(of: event)?.prefix(utf8Bytes: limits.identifierBytes)
        // Nothing that an erased device sent is kept, except the ID that it generated for the event.
        let text =
            code == .deviceSuppressed
            ? Rejection.text(ofSuppressed: eventID)
            : SubmittedEvent.text(of: bytes, event.bytes, limit: limits.eventBytes)
        return Rejection(index: position, eventID: eventID, code: code, detail: detail, submittedEvent: text)
    }

    /// Returns the JSON of the event at a position of the request, as received.
    package func text(at position: Int) -> ArraySlice<UInt8> {
        bytes[events[position].bytes]
    }

    /// Returns the event's ID as sent, or `nil` if it is not a string.
    private func eventID(of event: RawEvent) -> String? {
        guard let field = fields[event.fields].first(where: { $0.name == .eventID }), field.type == .string else {
            return nil
        }
        let text = JSONText.unescape(bytes, field.value).map { $0 == 0 ? UInt8(ascii: "?") : $0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
