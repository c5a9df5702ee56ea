import AfterpushWire
import Foundation
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Tests erasure and retention with the scenarios of the model tests, in the middle of which a month ends. Devices are
/// erased and the month is dropped while collectors are killed, and no count of a report may change.
@Suite(.serialized) struct ErasureRetentionModelTests {
    static let seeds = Array(ModelTests.seeds.prefix(4))

    @Test(arguments: Self.seeds)
    func `erasure and retention change no count`(seed: UInt64) async throws {
        let month = Self.monthStart()
        let scenario = Scenario(seed: seed, now: month + 5 * 24 * microsecondsPerHour)
        let conninfo = try await TestCluster.database()
        try await SupervisedCollector.with(conninfo) { one in
            try await SupervisedCollector.with(conninfo) { another in
                let urls = [one, another].map { "http://127.0.0.1:\($0.port)" }
                let run = try await ModelRun(scenario, on: ModelCollectors(conninfo: conninfo, urls: urls))
                try await run.post()
                try await run.waitForRollups()
                try await run.expectReportsEqualModel("seed \(seed)", step: 4)
                let keeping = ErasureRetentionRun(scenario, run, [one, another], seed: seed, month: month)
                try await keeping.erase()
                try await keeping.dropMonth()
                try await keeping.postLateEvents()
            }
        }
    }

    /// The start of the latest month that began at least a week ago, so that all events of the scenario are in the
    /// past.
    private static func monthStart() -> Int {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month], from: Date(timeIntervalSinceNow: -7 * 86_400))
        return Int(calendar.date(from: parts)?.timeIntervalSince1970 ?? 0) * 1_000_000
    }
}
