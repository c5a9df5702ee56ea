import Foundation
import Synchronization
import TestSupport
import Testing

/// The rows of the fault table, one for each fault (see docs/fault-tests.md); also written to `.build/faults.json`.
enum FaultTable {
    struct Row: Codable {
        let fault: String
        let title: String
        var runs = 0
        var events = 0
        var requests = 0
        var retries = 0
        var spooled = 0
        /// The longest time until a request was acknowledged.
        var maxUnackedSeconds = 0.0
        /// The longest time of an attempt with a response.
        var slowestResponseSeconds = 0.0
        var seconds = 0.0
        var seeds: [UInt64] = []
        var result = "ok"
        var notes: [String] = []
    }

    private static let rows = Mutex<[Row]>([])

    /// Runs a fault with several seeds, and writes the result to the table in any case.
    ///
    /// - Parameter atMost: the largest number of runs, for a slow fault.
    static func run(
        _ fault: String, _ title: String, atMost: Int = .max, _ body: (FaultRun) async throws -> Void
    ) async throws {
        var row = Row(fault: fault, title: title)
        let start = ContinuousClock.now
        defer {
            row.seconds = seconds(start.duration(to: .now))
            add(row)
        }
        for number in 0..<max(1, min(atMost, FaultScale.seeds)) {
            let seed = FaultScale.firstSeed.map { $0 &+ UInt64(number) } ?? .random(in: 1...999_999)
            // Every second run is without a spool; the quick form has one, as collectors do by default.
            let run = FaultRun(seed: seed, isSpooling: FaultScale.isWithoutSpool ? false : number % 2 == 0)
            print("\(fault): seed \(seed)\(run.isSpooling ? "" : ", without a spool")")
            row.runs += 1
            row.seeds.append(seed)
            do {
                try await body(run)
            } catch {
                row.result = "FAILED"
                row.notes.append("\(error)")
                throw error
            }
            take(run, into: &row)
        }
    }

    /// Prints that a fault was not tested, and why.
    static func skip(_ fault: String, _ title: String, because reason: String) {
        print("SKIPPED \(fault): \(reason)")
        var row = Row(fault: fault, title: title)
        row.result = "skipped"
        row.notes = [reason]
        add(row)
    }

    private static func take(_ run: FaultRun, into row: inout Row) {
        for ledger in run.ledgers {
            let figures = ledger.figures
            row.events += ledger.count
            row.requests += figures.requests
            row.retries += figures.retries
            row.spooled += figures.statuses[202] ?? 0
            row.maxUnackedSeconds = max(row.maxUnackedSeconds, seconds(figures.maxUnacked))
            row.slowestResponseSeconds = max(row.slowestResponseSeconds, seconds(figures.slowestResponse))
        }
        if !run.failures.isEmpty { row.result = "FAILED" }
        row.notes += run.failures.map { "seed \(run.seed): \($0)" } + run.notes
    }

    private static func add(_ row: Row) {
        rows.withLock { rows in
            rows.append(row)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let file = Program.root.appending(path: ".build/faults.json")
            try? encoder.encode(rows).write(to: file, options: .atomic)
        }
    }

    static func seconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1)).rounded() / 1_000
    }
}
