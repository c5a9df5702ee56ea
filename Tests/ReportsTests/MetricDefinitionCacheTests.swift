import Synchronization
import Testing

@testable import Reports

@Suite struct MetricDefinitionCacheTests {
    @Test func `definitions are read once per minute for each report and its columns`() async throws {
        let memory = MetricDefinitionCache()
        let reads = Counter()
        let start = ContinuousClock.now
        func ask(_ report: String, _ columns: [String], after seconds: Int) async throws -> [String] {
            try await memory.definitions(of: report, columns, now: start + .seconds(seconds)) {
                ["\(report) \(columns) \(reads.next())"]
            }
        }
        #expect(try await ask("a", ["x"], after: 0) == ["a [\"x\"] 1"])
        #expect(try await ask("a", ["x"], after: 59) == ["a [\"x\"] 1"])
        #expect(try await ask("a", ["x", "y"], after: 59) == ["a [\"x\", \"y\"] 2"])
        #expect(try await ask("b", ["x"], after: 59) == ["b [\"x\"] 3"])
        #expect(try await ask("a", ["x"], after: 60) == ["a [\"x\"] 4"])
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
