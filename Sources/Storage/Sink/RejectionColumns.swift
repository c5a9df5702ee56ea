import AfterpushWire
import Events
import Ingest
import Postgres

/// Rejections as parameters, an array for each column; nulls when there are none.
struct RejectionColumns {
    static func parameters(_ rejections: [StoredRejection]) -> [Parameter] {
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
