import AfterpushWire
import Events
import Ingest
import Postgres

/// The counts of a group's batches, one for each app, as parameters: an array for each column.
struct BatchColumns {
    /// Returns the columns app_id, events, rejections, duplicates within the group, and conflicts among these.
    static func parameters(
        _ events: [Event], _ rejections: [StoredRejection], _ repeats: [Int32: EventRepeats]
    ) -> [Parameter] {
        var counts: [Int32: (events: Int32, rejected: Int32)] = [:]
        for event in events { counts[event.appID, default: (0, 0)].events += 1 }
        for kept in rejections { counts[kept.appID, default: (0, 0)].rejected += 1 }
        for app in repeats.keys where counts[app] == nil { counts[app] = (0, 0) }
        var columns = Array(repeating: ArrayBuilder(.int4, capacity: counts.count), count: 5)
        for (app, count) in counts {
            let repeated = repeats[app] ?? EventRepeats()
            for (index, value) in [app, count.events, count.rejected, repeated.duplicates, repeated.conflicts]
                .enumerated()
            {
                columns[index].append(int4: value)
            }
        }
        return columns.map { .array($0) }
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
