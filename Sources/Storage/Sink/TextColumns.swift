import AfterpushWire
import Events
import Postgres

/// The texts among some events as parameters, an array for each column; nulls when there are none.
struct TextColumns {
    static func parameters(_ events: [Event]) -> [Parameter] {
        let texts = events.filter { $0.userText != nil }
        guard !texts.isEmpty else { return Array(repeating: .unknown(nil), count: 6) }
        var apps = ArrayBuilder(.int4, capacity: texts.count)
        var deliveries = ArrayBuilder(.uuid, capacity: texts.count)
        var ids = ArrayBuilder(.uuid, capacity: texts.count)
        var times = ArrayBuilder(.timestamptz, capacity: texts.count)
        for event in texts {
            apps.append(int4: event.appID)
            deliveries.append(uuid: event.deliveryID)
            ids.append(uuid: event.eventID)
            times.append(timestamp: event.deviceTime.microseconds)
        }
        return [
            .array(apps), .array(deliveries), .array(ids), .array(times),
            .textArray(texts.map(\.categoryID)), .textArray(texts.map(\.userText)),
        ]
    }
}
