import JSON

/// What an event says, apart from its times and the key that sent it, to find out whether copies of it say the same.
///
/// A request can consist of copies of one event, so its properties are read once, and those of each copy once.
package final class EventContent {
    private let event: Event
    private lazy var properties: CanonicalJSON? = EventContent.canonical(event.properties)

    package init(of event: Event) {
        self.event = event
    }

    /// Returns whether another event with the same ID has the same content.
    package func isEqual(to copy: Event) -> Bool {
        event.kind == copy.kind && event.platform == copy.platform && event.categoryVersion == copy.categoryVersion
            && zip(Self.texts(of: event), Self.texts(of: copy)).allSatisfy { Self.areEqual($0, $1) }
            && event.utcOffsetMinutes == copy.utcOffsetMinutes
            && event.trigger == copy.trigger && event.handling == copy.handling
            && Self.areEqualNumbers(event.value, copy.value) && hasProperties(of: copy)
    }

    private static func texts(of event: Event) -> [String?] {
        [
            event.actionIdentifier, event.userText, event.campaignID, event.variant, event.categoryID,
            event.appVersion, event.osVersion, event.locale, event.surface, event.appState, event.dismissCause,
            event.reason, event.name, event.currency,
        ]
    }

    /// Compares texts by bytes, as the database does; Swift also treats different spellings of a character as equal.
    private static func areEqual(_ one: String?, _ other: String?) -> Bool {
        switch (one, other) {
        case (nil, nil): true
        case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    private static func areEqualNumbers(_ one: String?, _ other: String?) -> Bool {
        if areEqual(one, other) { return true }
        guard let one = canonical(one), let other = canonical(other) else { return false }
        return one == other
    }

    private func hasProperties(of copy: Event) -> Bool {
        if Self.areEqual(event.properties, copy.properties) { return true }
        guard let properties, let others = Self.canonical(copy.properties) else { return false }
        return properties == others
    }

    private static func canonical(_ json: String?) -> CanonicalJSON? {
        json.flatMap { try? CanonicalJSON(Array($0.utf8)) }
    }
}
