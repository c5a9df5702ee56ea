import AfterpushWire
import Events
import Ingest
import Postgres

/// The counts of a group's batches as parameters: an array for each column.
///
/// An app's events are one batch, or, if there are many, one for each slice of devices, so that several workers can merge
/// them side by side.
struct BatchColumns {
    private struct Counts {
        var events: Int32 = 0
        var rejected: Int32 = 0
    }

    private var columns = Array(repeating: ArrayBuilder(.int4, capacity: 4), count: 6)

    /// Returns the columns app_id, slice, events, rejections, duplicates within the group, and conflicts among these.
    ///
    /// - Parameter eventsPerSlice: How many events of an app, for each slice, are many.
    static func parameters(
        _ events: [Event], _ rejections: [StoredRejection], _ repeats: [Int32: EventRepeats], eventsPerSlice: Int
    ) -> [Parameter] {
        var counts: [Int32: Counts] = [:]
        for event in events { counts[event.appID, default: Counts()].events += 1 }
        for kept in rejections { counts[kept.appID, default: Counts()].rejected += 1 }
        for app in repeats.keys where counts[app] == nil { counts[app] = Counts() }
        let many = Int32(clamping: eventsPerSlice * DeliveryIdentity.slices)
        var slices: [Int32: [Int32]] = [:]
        for (app, count) in counts where count.events >= many {
            slices[app] = Array(repeating: 0, count: DeliveryIdentity.slices)
        }
        if !slices.isEmpty {
            for event in events { slices[event.appID]?[DeliveryIdentity.slice(of: event.deliveryID)] += 1 }
        }
        var batches = BatchColumns()
        for (app, count) in counts {
            let repeated = repeats[app] ?? EventRepeats()
            guard let slices = slices[app] else {
                batches.append(app, slice: nil, events: count.events, count.rejected, repeated)
                continue
            }
            // What is not of any slice is counted with the first.
            for (slice, events) in slices.enumerated() where events > 0 || slice == 0 {
                batches.append(
                    app, slice: Int32(slice), events: events, slice == 0 ? count.rejected : 0,
                    slice == 0 ? repeated : EventRepeats())
            }
        }
        return batches.columns.map { .array($0) }
    }

    private mutating func append(
        _ app: Int32, slice: Int32?, events: Int32, _ rejected: Int32, _ repeated: EventRepeats
    ) {
        columns[0].append(int4: app)
        columns[1].append(int4: slice)
        for (index, value) in [events, rejected, repeated.duplicates, repeated.conflicts].enumerated() {
            columns[2 + index].append(int4: value)
        }
    }

    /// Returns the columns app_id, duplicates within the group, and conflicts among these; nulls if there are none.
    static func repeats(_ repeats: [Int32: EventRepeats]) -> [Parameter] {
        guard !repeats.isEmpty else { return Array(repeating: .unknown(nil), count: 3) }
        var columns = Array(repeating: ArrayBuilder(.int4, capacity: repeats.count), count: 3)
        for (app, repeated) in repeats {
            columns[0].append(int4: app)
            columns[1].append(int4: repeated.duplicates)
            columns[2].append(int4: repeated.conflicts)
        }
        return columns.map { .array($0) }
    }
}

/// Rejections as parameters: an array for each column, or nulls if there are none.
struct RejectionColumns {
    static func parameters(_ rejections: [StoredRejection]) -> [Parameter] {
        guard !rejections.isEmpty else { return Array(repeating: .unknown(nil), count: 7) }
        var apps = ArrayBuilder(.int4, capacity: rejections.count)
        var times = ArrayBuilder(.timestamptz, capacity: rejections.count)
        var positions = ArrayBuilder(.int8, capacity: rejections.count)
        for kept in rejections {
            apps.append(int4: kept.appID)
            positions.append(int8: kept.rejection.checkedUntil)
            times.append(timestamp: kept.receivedAt.microseconds)
        }
        return [
            .array(apps), .array(times),
            .textArray(rejections.map(\.rejection.code.rawValue)), .textArray(rejections.map(\.rejection.detail)),
            .textArray(rejections.map(\.rejection.storedEventID)),
            .textArray(rejections.map(\.rejection.submittedEvent)), .array(positions),
        ]
    }
}
