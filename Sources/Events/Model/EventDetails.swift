package import AfterpushWire

/// The rarely present fields of an event.
package final class EventDetails: Sendable {
    package let surface: String?
    package let trigger: Trigger?
    package let appState: String?
    package let appVersion: String?
    package let osVersion: String?
    package let locale: String?
    package let utcOffsetMinutes: Int32?
    package let dismissCause: String?
    package let handling: Handling?
    package let reason: String?
    package let name: String?
    /// The amount as text for PostgreSQL's `numeric`, with at most six decimals.
    package let value: String?
    package let currency: String?
    /// The properties and all unknown fields, as a JSON object for `jsonb`. The last of several equal names counts.
    package let properties: String?

    /// Returns the details of an event, or `nil` if it has none.
    static func of(_ fields: EventFields) throws(EventValidationError) -> EventDetails? {
        fields.statesDetails ? try EventDetails(fields) : nil
    }

    /// Reads details that were validated before they were written.
    init(_ reader: inout BinaryReader) throws(BinaryFormatError) {
        surface = try reader.optionalText()
        trigger = try reader.optionalWord()
        appState = try reader.optionalText()
        appVersion = try reader.optionalText()
        osVersion = try reader.optionalText()
        locale = try reader.optionalText()
        utcOffsetMinutes = try reader.optional { reader throws(BinaryFormatError) in try reader.number() }
        dismissCause = try reader.optionalText()
        handling = try reader.optionalWord()
        reason = try reader.optionalText()
        name = try reader.optionalText()
        value = try reader.optionalText()
        currency = try reader.optionalText()
        properties = try reader.optionalText()
    }

    private init(withoutAppVersion details: EventDetails) {
        surface = details.surface
        trigger = details.trigger
        appState = details.appState
        appVersion = nil
        osVersion = details.osVersion
        locale = details.locale
        utcOffsetMinutes = details.utcOffsetMinutes
        dismissCause = details.dismissCause
        handling = details.handling
        reason = details.reason
        name = details.name
        value = details.value
        currency = details.currency
        properties = details.properties
    }

    /// The details without the app version.
    var withoutAppVersion: EventDetails {
        EventDetails(withoutAppVersion: self)
    }

    private init(_ fields: EventFields) throws(EventValidationError) {
        surface = try fields.text(.surface)
        trigger = try fields.word(.trigger)
        appState = try fields.text(.appState)
        appVersion = try fields.text(.appVersion)
        osVersion = try fields.text(.osVersion)
        locale = try fields.text(.locale)
        utcOffsetMinutes = try fields.integer(.utcOffsetMinutes, in: -1_080...1_080)
        dismissCause = try fields.text(.dismissCause)
        handling = try fields.word(.handling)
        reason = try fields.text(.reason)
        name = try fields.text(.name)
        value = try fields.amount(.value)
        currency = try fields.currency()
        properties = try fields.properties()
    }
}
