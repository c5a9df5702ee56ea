import Foundation
import Postgres
import SQLFiles

/// Checks transactions, the rollup worker and partitions.
extension DatabaseChecks {
    static func transactions(_ connection: Connection, _ transactionLimit: Double) async throws -> [CheckResult] {
        let row = try await connection.query(SQLFiles.checkTransactions.text, [.float8(transactionLimit)])[0]
        let (count, application, pid, age) = try row.decode(Int64.self, String?.self, Int32?.self, Double?.self)
        guard count > 0, let age, let pid else {
            return [CheckResult("transactions", .ok, "none has been open for long")]
        }
        return [
            CheckResult(
                "transactions", .warn,
                "\(count) open for more than \(seconds(transactionLimit)); the oldest, of '\(application ?? "")', for \(seconds(age))",
                advice:
                    "find out what process \(pid) does; while its transaction is open, dead rows can't be removed and migrations wait"
            )
        ]
    }

    static func worker(_ connection: Connection) async throws -> [CheckResult] {
        guard let row = try await connection.query(SQLFiles.checkWorker.text).first else {
            return [CheckResult("worker", .ok, "the rollup worker is idle")]
        }
        let (application, pid, age, isApart) = try row.decode(String.self, Int32.self, Double.self, Bool.self)
        let merging = isApart ? "merging an app apart from the others" : "running"
        let text = "'\(application)', process \(pid), has been \(merging) for \(seconds(age))"
        guard age > 120 else { return [CheckResult("worker", .ok, text)] }
        return [
            CheckResult(
                "worker", .warn, text,
                advice: "no other collector can roll up \(isApart ? "that app " : "")meanwhile; if it hangs: "
                    + "select pg_terminate_backend(\(pid))")
        ]
    }

    static func rollups(_ connection: Connection) async throws -> [CheckResult] {
        let reading = try await DatabaseHealth(connection)
        guard reading.waitingBatches > 0 else {
            return [CheckResult("rollups", .ok, "all stored events are in the rollups")]
        }
        let many = reading.waitingBatches >= DatabaseHealth.limit ? " or more" : ""
        let text =
            "\(reading.waitingBatches)\(many) batches with \(reading.waitingEvents) events wait, the oldest for "
            + seconds(reading.rollupLagSeconds)
        let advice = "check that a collector is running and what its log says about rollups; reports lag by this much"
        switch reading.rollupLagSeconds {
        case ..<30: return [CheckResult("rollups", .ok, text)]
        case ..<600: return [CheckResult("rollups", .warn, text, advice: advice)]
        default: return [CheckResult("rollups", .fail, text, advice: advice)]
        }
    }

    static func partitions(_ connection: Connection) async throws -> [CheckResult] {
        let ahead = try await DatabaseHealth(connection).partitionsAhead
        let advice =
            "check that a collector is running and what its log says about partitions; it creates them every hour, and "
            + "'afterpush migrate' does so if the default partition has few of their events"
        let months =
            switch ahead {
            case 0: CheckResult("partitions", .fail, "the current month has none", advice: advice)
            case 1, 2:
                CheckResult(
                    "partitions", .warn, "created for \(ahead) months, including the current one", advice: advice)
            default: CheckResult("partitions", .ok, "created for \(ahead) months, including the current one")
            }
        let limit = DatabaseHealth.limit
        let rows = try await connection.query(SQLFiles.checkDefaultPartition.text, [.int4(Int32(limit))])
        let (near, sealed, far) = try rows[0].decode(Int64.self, Int64.self, Int64.self)
        guard near > 0 else {
            let orMore = sealed + far < limit ? "" : " or more"
            var parts = far > 0 ? ["\(far)\(orMore) events of devices whose clocks are far off"] : []
            if sealed > 0 { parts.append("\(sealed)\(orMore) events that retention left of sealed months") }
            return [
                months,
                CheckResult("default_partition", .ok, parts.isEmpty ? "empty" : parts.joined(separator: ", ")),
            ]
        }
        return [
            months,
            CheckResult(
                "default_partition", .warn, "\(near) events of months that should have a partition", advice: advice),
        ]
    }
}
