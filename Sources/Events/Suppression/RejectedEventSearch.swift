/// Looks for erased devices in the rejected events of one request.
///
/// It remembers the texts that are no device's ID, since the events of a request have most of their texts in common.
struct RejectedEventSearch {
    /// The position in the suppression list up to which devices are found.
    private let position: Int64
    /// Whether a text is the ID of an erased device; `nil` if none was erased.
    private let isListed: (([UInt8]) -> Bool)?
    private var unlisted: Set<[UInt8]> = []

    /// The number of texts that are remembered.
    private static let room = 10_000

    init(until position: Int64, isListed: (([UInt8]) -> Bool)?) {
        self.position = position
        self.isListed = isListed
    }

    /// Returns the rejection without what must not be kept of its event.
    ///
    /// Nothing is kept of an event that mentions an erased device, even if it states another device. One with more
    /// texts than are searched loses its content. All others are marked, because the database keeps no content that was not
    /// searched for all devices.
    mutating func checked(_ rejection: Rejection) -> Rejection {
        guard isListed != nil, rejection.code != .deviceSuppressed, let event = rejection.submittedEvent else {
            return rejection.checked(until: position)
        }
        let found = RejectedEventTexts(event)
        // A client could send the device's ID as the event's, behind more texts than are searched.
        let isMentioned = names(rejection.eventID.map { Array($0.utf8) } ?? []) || found.texts.contains { names($0) }
        guard isMentioned || found.isIncomplete else { return rejection.checked(until: position) }
        return (isMentioned ? rejection.suppressed : rejection.withoutEvent).checked(until: position)
    }

    private mutating func names(_ text: [UInt8]) -> Bool {
        guard let isListed, !unlisted.contains(text) else { return false }
        // The ID of a device is a text in UTF-8.
        let isNamed = isListed(text.allSatisfy { $0 < 0x80 } ? text : Array(String(decoding: text, as: UTF8.self).utf8))
        if !isNamed, unlisted.count < Self.room { unlisted.insert(text) }
        return isNamed
    }
}
