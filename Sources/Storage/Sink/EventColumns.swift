import AfterpushWire
import Ingest
import Postgres

/// Events and rejections as the parameters of `store_group.sql`, an array for each column.
///
/// A column that none of the events states travels as null, which `unnest` fills up.
struct EventColumns {
    private var columns: [Column]

    /// A column of the statement: what is taken of each event.
    private struct Column {
        var array: ArrayBuilder
        var isStated = false
        let add: (Event, inout ArrayBuilder) -> Bool

        init(_ element: ElementType, _ capacity: Int, add: @escaping (Event, inout ArrayBuilder) -> Bool) {
            self.array = ArrayBuilder(element, capacity: capacity)
            self.add = add
        }

        mutating func append(_ event: Event) {
            if add(event, &array) { isStated = true }
        }
    }

    init(_ events: ArraySlice<Event>) {
        columns = Self.columns(capacity: events.count)
        for index in columns.indices {
            for event in events { columns[index].append(event) }
        }
    }

    /// In the order of the statement's parameters, the rejections behind the events.
    consuming func parameters(with rejections: [KeptRejection]) -> [Parameter] {
        columns.map { $0.isStated ? .array($0.array) : .unknown(nil) } + Self.parameters(rejections)
    }

    private static func columns(capacity: Int) -> [Column] {
        func text(_ value: @escaping (Event) -> String?) -> Column {
            Column(.text, capacity) { event, array in
                let value = value(event)
                array.append(text: value)
                return value != nil
            }
        }
        func int4(_ value: @escaping (Event) -> Int32?) -> Column {
            Column(.int4, capacity) { event, array in
                let value = value(event)
                array.append(int4: value)
                return value != nil
            }
        }
        func time(_ value: @escaping (Event) -> AfterpushWire.Timestamp?) -> Column {
            Column(.timestamptz, capacity) { event, array in
                let value = value(event)
                array.append(timestamp: value?.microseconds)
                return value != nil
            }
        }
        func always(_ element: ElementType, _ add: @escaping (Event, inout ArrayBuilder) -> Void) -> Column {
            Column(element, capacity) { event, array in
                add(event, &array)
                return true
            }
        }
        return [
            int4(\.appID),
            always(.uuid) { $1.append(uuid: $0.deliveryID) },
            always(.uuid) { $1.append(uuid: $0.eventID) },
            time(\.deviceTime),
            time(\.occurredAt),
            text(\.kind.rawValue),
            always(.bool) { $1.append(bool: $0.verified) },
            int4(\.categoryVersion),
            int4(\.utcOffsetMinutes),
            int4(\.textLength),
            always(.int8) { $1.append(int8: $0.skewMilliseconds) },
            time(\.receiptIssuedAt),
            text(\.deviceID),
            // An event of a device alone may name a notification; it is not about it.
            text { $0.kind.isAboutDevice ? nil : $0.notificationID },
            text(\.actionIdentifier),
            text(\.campaignID),
            text(\.variant),
            text(\.categoryID),
            text(\.platform?.rawValue),
            text(\.appVersion),
            text(\.osVersion),
            text(\.locale),
            text(\.surface),
            text(\.trigger?.rawValue),
            text(\.appState),
            text(\.dismissCause),
            text(\.handling?.rawValue),
            text(\.reason),
            text(\.name),
            text(\.value),
            text(\.currency),
            text(\.properties),
            text(\.userText),
        ]
    }

    private static func parameters(_ rejections: [KeptRejection]) -> [Parameter] {
        guard !rejections.isEmpty else { return Array(repeating: .unknown(nil), count: 6) }
        var apps = ArrayBuilder(.int4, capacity: rejections.count)
        var times = ArrayBuilder(.timestamptz, capacity: rejections.count)
        for kept in rejections {
            apps.append(int4: kept.appID)
            times.append(timestamp: kept.receivedAt.microseconds)
        }
        return [
            .array(apps), .array(times),
            .textArray(rejections.map(\.rejection.code.rawValue)), .textArray(rejections.map(\.rejection.detail)),
            .textArray(rejections.map(\.rejection.eventID)), .textArray(rejections.map(\.rejection.submittedEvent)),
        ]
    }
}
