import Foundation
import ReferenceModel
import Storage
import TestSupport
import Testing

/// Tests reports of random events and declarations, posted to two collectors over HTTP, against the reference model.
@Suite(.serialized) struct ModelTests {
    /// The seeds: 8, or the number in AFTERPUSH_TEST_SEEDS, or only the one in AFTERPUSH_TEST_SEED.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["AFTERPUSH_TEST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(1...(environment["AFTERPUSH_TEST_SEEDS"].flatMap { UInt64($0) } ?? 8))
    }()

    /// Other seeds for other tests: as many as AFTERPUSH_TEST_SEEDS says, otherwise the first of them, and only one with
    /// AFTERPUSH_TEST_SEED.
    static func seeds(_ base: UInt64, short: Int) -> [UInt64] {
        let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_TEST_SEEDS"] != nil
        return seeds.prefix(isLong ? seeds.count : short).map { $0 + base }
    }

    @Test(arguments: Self.seeds)
    func `reports equal the model, whatever the order, grouping and repetition of events`(seed: UInt64) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let run = try await ModelRun(Scenario(seed: seed, now: now))
        try await run.post()
        try await run.waitForRollups()
        try await run.expectReportsEqualModel("seed \(seed)")
        try await run.expectResponseTimesOfRollupsEqualModel("seed \(seed)")
        #expect(try await run.differences() == [], "seed \(seed): rollup verify")
        try await run.rebuild()
        #expect(try await run.differences() == [], "seed \(seed): rollup verify after a rebuild")
        try await run.expectReportsEqualModel("seed \(seed), rebuilt", step: 5)
    }
}

/// Tests that a forger with the public key changes no report with `verified`.
@Suite(.serialized) struct ForgerModelTests {
    /// As many seeds as `ModelTests` has, but at most 2 in the short form.
    @Test(arguments: ModelTests.seeds(70_000, short: 2))
    func `no set of unverified events changes a report with verified`(seed: UInt64) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let run = try await ModelRun(Scenario(seed: seed, now: now))
        let forged = Set(run.scenario.forged)
        try await run.post(run.scenario.posted.filter { !forged.contains($0) })
        try await run.waitForRollups()
        let before = try await run.verifiedReports()
        try await run.post(run.scenario.forged, declares: false)
        try await run.waitForRollups()
        let after = try await run.verifiedReports()
        for (report, rows) in before where after[report] != nil {
            #expect(after[report] == rows, "seed \(seed), \(report)")
        }
        try await run.expectReportsEqualModel("seed \(seed)", step: 3)
        #expect(try await run.differences() == [], "seed \(seed): rollup verify")
    }
}

/// Tests the data quality reports over HTTP against the reference model.
@Suite(.serialized) struct HealthModelTests {
    /// As many seeds as `ModelTests` has, but at most 6 in the short form.
    @Test(arguments: ModelTests.seeds(90_000, short: 6))
    func `health, failures, replies and undeclared equal the model`(seed: UInt64) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let run = try await ModelRun(Scenario(seed: seed, now: now))
        try await run.post()
        try await run.waitForRollups()
        try await run.expectHealthEqualsModel("seed \(seed)", step: 2)
    }
}

/// Tests reports against the reference model when the app's undeclared names have used up their limits.
@Suite(.serialized) struct NameLimitModelTests {
    /// As many seeds as `ModelTests` has, but at most 3 in the short form.
    @Test(arguments: ModelTests.seeds(70_000, short: 3))
    func `reports of events with names past their limit equal the model`(seed: UInt64) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let conninfo = try await TestCluster.database()
        // One name of each kind, and ten that something vouches for. Variants and versions have a limit per parent.
        let environment = Dictionary(
            uniqueKeysWithValues: ["CAMPAIGNS", "CATEGORIES", "ACTIONS", "APP_VERSIONS"].map {
                ("AFTERPUSH_LIMITS_\($0)", "1")
            })
        let processes = [
            try await CollectorProcess(conninfo: conninfo, environment: environment),
            try await CollectorProcess(conninfo: conninfo, environment: environment),
        ]
        let run = try await ModelRun(
            Scenario(seed: seed, now: now).withoutRoomForNames,
            on: ModelCollectors(conninfo: conninfo, urls: processes.map(\.url)))
        for app in run.apps.values {
            try await app.superuserValue(
                """
                insert into afterpush.undeclared_names (app_id, kind, parent, name, source)
                select \(app.app.id), kind, '', 'made up', 'unverified'
                from unnest(array['campaign', 'category', 'action', 'app_version']) as kind
                """)
        }
        try await run.postVerifiedFirst()
        try await run.waitForRollups()
        #expect(run.scenario.events.contains { !$0.namesPastLimit.isEmpty })
        try await run.expectReportsEqualModel("seed \(seed)")
        try await run.expectHealthEqualsModel("seed \(seed)")
        #expect(try await run.differences() == [], "seed \(seed): rollup verify")
        for process in processes { await process.stop() }
    }
}
