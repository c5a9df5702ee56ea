import Events
import Ingest
import Postgres

/// What batches count of a group, by app, as parameters, an array for each column.
struct BatchColumns {
    /// app_id, events, rejections, duplicates within the group, conflicts among these.
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

    /// app_id, duplicates within the group, conflicts among these; nulls when there are none.
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
