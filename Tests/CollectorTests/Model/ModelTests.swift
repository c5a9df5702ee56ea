import Foundation
import ReferenceModel
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

    @Test(arguments: Self.seeds)
    func `reports equal the model, whatever the order, grouping and repetition of events`(seed: UInt64) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let run = try await ModelRun(Scenario(seed: seed, now: now))
        try await run.post()
        try await run.waitForRollups()
        try await run.expectReportsEqualModel("seed \(seed)")
        #expect(try await run.differences() == [], "seed \(seed): rollup verify")
        try await run.rebuild()
        #expect(try await run.differences() == [], "seed \(seed): rollup verify after a rebuild")
        try await run.expectReportsEqualModel("seed \(seed), rebuilt", step: 5)
    }
}

/// Tests the data quality reports over HTTP against the reference model.
@Suite(.serialized) struct HealthModelTests {
    /// The seeds: 6, or only the one in AFTERPUSH_TEST_SEED.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["AFTERPUSH_TEST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return Array(90_001...90_006)
    }()

    @Test(arguments: Self.seeds)
    func `health, failures, replies and undeclared equal the model`(seed: UInt64) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1_000_000)
        let run = try await ModelRun(Scenario(seed: seed, now: now))
        try await run.post()
        try await run.waitForRollups()
        try await run.expectHealthEqualsModel("seed \(seed)", step: 2)
    }
}
