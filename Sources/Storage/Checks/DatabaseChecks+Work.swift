import Foundation
import Postgres
import SQLFiles

/// What goes on in the database, and whether it keeps up.
extension DatabaseChecks {
    static func transactions(_ connection: Connection, _ patience: Double) async throws -> [CheckResult] {
        let row = try await connection.query(SQLFiles.checkTransactions.text, [.float8(patience)])[0]
        let (count, application, pid, age) = try row.decode(Int64.self, String?.self, Int32?.self, Double?.self)
        guard count > 0, let age, let pid else { return [CheckResult("transactions", .ok, "none is open for long")] }
        return [
            CheckResult(
                "transactions", .warn,
                "\(count) open for more than \(seconds(patience)); the oldest, of '\(application ?? "")', for \(seconds(age))",
                advice: "find out what process \(pid) does; as long as it is open, dead rows stay and migrations wait")
        ]
    }

    static func worker(_ connection: Connection) async throws -> [CheckResult] {
        guard let row = try await connection.query(SQLFiles.checkWorker.text).first else {
            return [CheckResult("worker", .ok, "no run of the rollup worker is under way just now")]
        }
        let (application, pid, age) = try row.decode(String.self, Int32.self, Double.self)
        let text = "'\(application)', process \(pid), has been at it for \(seconds(age))"
        guard age > 120 else { return [CheckResult("worker", .ok, text)] }
        return [
            CheckResult(
                "worker", .warn, text,
                advice: "nobody else can roll up meanwhile; if it hangs: select pg_terminate_backend(\(pid))")
        ]
    }

    static func rollups(_ connection: Connection) async throws -> [CheckResult] {
        let reading = try await DatabaseHealth(connection)
        guard reading.waitingBatches > 0 else { return [CheckResult("rollups", .ok, "everything stored is in them")] }
        let many = reading.waitingBatches >= DatabaseHealth.limit ? " or more" : ""
        let text =
            "\(reading.waitingBatches)\(many) batches with \(reading.waitingEvents) events wait, the oldest for "
            + seconds(reading.rollupLagSeconds)
        let advice = "see whether a collector runs and what its log says of rollups; reports lag by this much"
        switch reading.rollupLagSeconds {
        case ..<30: return [CheckResult("rollups", .ok, text)]
        case ..<600: return [CheckResult("rollups", .warn, text, advice: advice)]
        default: return [CheckResult("rollups", .fail, text, advice: advice)]
        }
    }

    static func partitions(_ connection: Connection) async throws -> [CheckResult] {
        let ahead = try await DatabaseHealth(connection).partitionsAhead
        let advice = "run 'afterpush migrate', which makes them; a collector that runs does so each hour, see its log"
        let months =
            switch ahead {
            case 0: CheckResult("partitions", .fail, "the present month has none", advice: advice)
            case 1, 2:
                CheckResult("partitions", .warn, "made for \(ahead) months, the present one included", advice: advice)
            default: CheckResult("partitions", .ok, "made for \(ahead) months, the present one included")
            }
        let limit = DatabaseHealth.limit
        let rows = try await connection.query(SQLFiles.checkDefaultPartition.text, [.int4(Int32(limit))])
        let (near, far) = try rows[0].decode(Int64.self, Int64.self)
        guard near > 0 else {
            let text = far == 0 ? "empty" : "\(far)\(far < limit ? "" : " or more") events of clocks that are far off"
            return [months, CheckResult("default_partition", .ok, text)]
        }
        return [
            months,
            CheckResult(
                "default_partition", .warn, "\(near) events of months that should have a partition", advice: advice),
        ]
    }
}
