/// One rejected event, as its sender and `rejected_events` get it.
package struct Rejection: Sendable, Equatable {
    /// The event's position in the request, from 0.
    package let index: Int
    /// As the event stated it, cut to 256 bytes; nil if it stated none that is a string.
    package let eventID: String?
    package let code: RejectionCode
    /// Names the field and what is wrong with it; holds nothing that was sent.
    package let detail: String
    /// The event as it came, except for `user_text`, of which only the length is kept; at most 32 KiB, without NUL.
    package let submittedEvent: String?

    package init(index: Int, eventID: String?, code: RejectionCode, detail: String, submittedEvent: String?) {
        self.index = index
        self.eventID = eventID
        self.code = code
        self.detail = detail
        self.submittedEvent = submittedEvent
    }
}
