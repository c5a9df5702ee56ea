package import Postgres
import SQLFiles

/// Reads the events of each app that were stored since the previous reading, by any collector that uses the database.
package actor LiveFeed {
    /// The maximum number of events that a reading counts; it extrapolates from these if there are more.
    private static let counted = 10_000
    private static let latest = 12

    private let pool: ReadPool
    private var cursors: [Int32: LiveCursor] = [:]

    /// Creates a feed.
    ///
    /// - Parameter pool: A pool of the worker role with a short time limit.
    package init(pool: ReadPool) {
        self.pool = pool
    }

    /// Returns a JSON object about the events since the previous call; the first call counts none.
    package func summary(ofApp id: Int32) async throws -> String {
        let cursor = self.cursors[id] ?? LiveCursor()
        let parameters: [Parameter] = [
            .int4(id), .int8(cursor.floor), .int8Array(cursor.reported.sorted()), .int8(Self.counted),
            .int8(Self.latest),
        ]
        let (text, batches, last) = try await self.pool.withConnection { connection in
            let rows = try await connection.query(SQLFiles.readLive.text, parameters)
            return try rows[0].decode(String.self, [Int64].self, Int64.self)
        }
        var next = cursor
        next.record(batches, last: last)
        self.cursors[id] = next
        return text
    }

    /// Removes the cursors of all other apps, which have no listeners.
    package func keep(_ apps: [Int32]) {
        self.cursors = self.cursors.filter { apps.contains($0.key) }
    }
}

/// Remembers which batches of an app have been reported, without a clock or a database.
///
/// Batches don't commit in the order of their numbers, so the ones above a floor are remembered individually. The floor
/// is the last batch number of some readings ago: by now every batch with a smaller number has committed or failed.
struct LiveCursor {
    /// The number up to which all batches have been reported, or `nil` before the first reading.
    private(set) var floor: Int64?
    /// The reported batches above the floor.
    private(set) var reported: Set<Int64> = []
    private var lasts: [Int64] = []
    private let delay: Int

    /// Creates a cursor before the first reading.
    ///
    /// - Parameter delay: The number of readings, one per second, within which a batch commits after it has a number.
    init(delay: Int = 15) {
        self.delay = delay
    }

    /// Records a reading.
    ///
    /// - Parameters:
    ///   - batches: The batches that the reading counted.
    ///   - last: The last batch number that the reading saw.
    mutating func record(_ batches: [Int64], last: Int64) {
        let old = floor ?? last
        lasts.append(last)
        floor = max(old, lasts.count > delay ? lasts.removeFirst() : old)
        reported.formUnion(batches)
        let floor = floor ?? old
        reported = reported.filter { $0 > floor }
    }
}
