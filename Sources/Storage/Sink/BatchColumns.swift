import Ingest
import Postgres

/// How many events and rejections each app has in a group, as parameters, an array for each column.
struct BatchColumns {
    static func parameters(_ events: [Event], _ rejections: [KeptRejection]) -> [Parameter] {
        var counts: [Int32: (events: Int32, rejected: Int32)] = [:]
        for event in events { counts[event.appID, default: (0, 0)].events += 1 }
        for kept in rejections { counts[kept.appID, default: (0, 0)].rejected += 1 }
        var columns = Array(repeating: ArrayBuilder(.int4, capacity: counts.count), count: 3)
        for (app, count) in counts {
            columns[0].append(int4: app)
            columns[1].append(int4: count.events)
            columns[2].append(int4: count.rejected)
        }
        return columns.map { .array($0) }
    }
}
