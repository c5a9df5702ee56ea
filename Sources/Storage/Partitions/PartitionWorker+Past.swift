package import AfterpushWire
import Postgres
import SQLFiles

extension PartitionWorker {
    /// Months further back than this stay in the default partition.
    private static let oldest: Int64 = 10 * 366 * 86_400 * 1_000_000

    /// Makes the partitions of the months that some times lie in, unless they are far from now.
    ///
    /// - Returns: how many it made.
    @discardableResult
    package func ensure(monthsOf times: [AfterpushWire.Timestamp], now: AfterpushWire.Timestamp) async throws -> Int {
        var made = 0
        for time in times where abs(now.microseconds - time.microseconds) < Self.oldest {
            made += try await ensure(time)
        }
        return made
    }

    private func ensure(_ time: AfterpushWire.Timestamp) async throws -> Int {
        var attempt = 0
        while true {
            do {
                return try await pool.withConnection { connection in
                    try await connection.transaction { connection in
                        try connection.execute("set local lock_timeout = '2s'")
                        let rows = try connection.query(
                            SQLFiles.callEnsurePartitions.text,
                            [.timestamp(time.microseconds), .int4(0), .int4(0)])
                        return Int(try rows.first?.decode(Int32.self, column: 0) ?? 0)
                    }
                }
            } catch let error as PostgresError where error.isRetryable && attempt < 5 {
                attempt += 1
                try await Task.sleep(for: .milliseconds(Int.random(in: 200...2_000)))
            }
        }
    }
}
