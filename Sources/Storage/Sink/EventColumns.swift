import AfterpushWire
import Events
import Postgres

/// Events as parameters of the statements that store them: an array for each column.
///
/// A column without values is sent as null, for which `unnest` returns nulls. The arrays are built column by column, so
/// that each loop handles one type.
struct EventColumns {
    private let events: [Event]
    private var parameters: [Parameter] = []

    /// Returns the columns without `user_text`, in the order of the statements' parameters.
    static func parameters(_ events: [Event]) -> [Parameter] {
        var columns = EventColumns(events: events)
        columns.addIdentity()
        columns.addNumbers()
        columns.addNames()
        columns.addDetails()
        return columns.parameters
    }

    /// Returns the column `user_text`, for the statement that expects it for every event.
    static func userTexts(_ events: [Event]) -> Parameter {
        var columns = EventColumns(events: events)
        columns.text { $0.userText }
        return columns.parameters[0]
    }

    private init(events: [Event]) {
        self.events = events
        parameters.reserveCapacity(34)
    }

    private mutating func addIdentity() {
        every(.int4) { $1.append(int4: $0.appID) }
        every(.uuid) { $1.append(uuid: $0.deliveryID) }
        every(.uuid) { $1.append(uuid: $0.eventID) }
        every(.timestamptz) { $1.append(timestamp: $0.deviceTime.microseconds) }
        every(.timestamptz) { $1.append(timestamp: $0.occurredAt.microseconds) }
        text { $0.kind.rawValue }
        every(.bool) { $1.append(bool: $0.verified) }
    }

    private mutating func addNumbers() {
        stated(.int4, { $0.categoryVersion }) { $1.append(int4: $0) }
        stated(.int4, { $0.utcOffsetMinutes }) { $1.append(int4: $0) }
        stated(.int4, { $0.textLength }) { $1.append(int4: $0) }
        stated(.int8, { $0.skewMilliseconds }) { $1.append(int8: $0) }
        stated(.timestamptz, { $0.receiptIssuedAt?.microseconds }) { $1.append(timestamp: $0) }
        text { $0.namesPastLimit.isEmpty ? nil : $0.namesPastLimit.words }
    }

    private mutating func addNames() {
        text { $0.deviceID }
        // An event about the device can have a notification id, but isn't about that notification.
        text { $0.kind.isAboutDevice ? nil : $0.notificationID }
        text { $0.actionIdentifier }
        text { $0.campaignID }
        text { $0.variant }
        text { $0.categoryID }
        text { $0.platform?.rawValue }
    }

    private mutating func addDetails() {
        text { $0.appVersion }
        text { $0.osVersion }
        text { $0.locale }
        text { $0.surface }
        text { $0.trigger?.rawValue }
        text { $0.appState }
        text { $0.dismissCause }
        text { $0.handling?.rawValue }
        text { $0.reason }
        text { $0.name }
        text { $0.value }
        text { $0.currency }
        text { $0.properties }
    }

    @inline(__always)
    private mutating func every(_ element: ElementType, _ add: (Event, inout ArrayBuilder) -> Void) {
        var array = ArrayBuilder(element, capacity: events.count)
        for event in events { add(event, &array) }
        parameters.append(.array(array))
    }

    @inline(__always)
    private mutating func stated<Value>(
        _ element: ElementType, _ value: (Event) -> Value?, _ add: (Value?, inout ArrayBuilder) -> Void
    ) {
        guard let first = events.firstIndex(where: { value($0) != nil }) else {
            parameters.append(.unknown(nil))
            return
        }
        var array = ArrayBuilder(element, capacity: events.count)
        for _ in 0..<first { array.appendNull() }
        for event in events[first...] { add(value(event), &array) }
        parameters.append(.array(array))
    }

    @inline(__always)
    private mutating func text(_ value: (Event) -> String?) {
        stated(.text, value) { $1.append(text: $0) }
    }
}

/// The events with typed text as parameters: an array for each column, or nulls if there are none.
struct TextColumns {
    static func parameters(_ events: [Event]) -> [Parameter] {
        let texts = events.filter { $0.userText != nil }
        guard !texts.isEmpty else { return Array(repeating: .unknown(nil), count: 7) }
        var apps = ArrayBuilder(.int4, capacity: texts.count)
        var deliveries = ArrayBuilder(.uuid, capacity: texts.count)
        var ids = ArrayBuilder(.uuid, capacity: texts.count)
        var times = ArrayBuilder(.timestamptz, capacity: texts.count)
        var verified = ArrayBuilder(.bool, capacity: texts.count)
        for event in texts {
            apps.append(int4: event.appID)
            deliveries.append(uuid: event.deliveryID)
            ids.append(uuid: event.eventID)
            times.append(timestamp: event.deviceTime.microseconds)
            verified.append(bool: event.verified)
        }
        return [
            .array(apps), .array(deliveries), .array(ids), .array(times),
            .textArray(texts.map(\.categoryID)), .array(verified), .textArray(texts.map(\.userText)),
        ]
    }
}
