import Synchronization
import Testing

@testable import Reports

@Suite struct MetricDefinitionCacheTests {
    private let memory = MetricDefinitionCache()
    private let reads = Counter()
    private let start = ContinuousClock.now

    private func ask(_ report: String, _ columns: [String], after seconds: Int = 0) async throws -> [String] {
        try await memory.definitions(of: report, columns: columns, now: start + .seconds(seconds)) { [reads] in
            let read = reads.next()
            return Dictionary(uniqueKeysWithValues: (0..<60).map { ("c\($0)", "\(report).c\($0) \(read)") })
        }
    }

    @Test func `definitions are read once per minute for each report`() async throws {
        #expect(try await ask("a", ["c1"]) == ["a.c1 1"])
        #expect(try await ask("a", ["c1"], after: 59) == ["a.c1 1"])
        #expect(try await ask("b", ["c1"], after: 59) == ["b.c1 2"])
        #expect(try await ask("a", ["c1"], after: 60) == ["a.c1 3"])
    }

    @Test func `a report has the definitions of the columns that it shows, in their order`() async throws {
        #expect(try await ask("a", ["c2", "without definition", "c1"]) == ["a.c2 1", "a.c1 1"])
        #expect(try await ask("a", ["c1", "c2", "c3"]) == ["a.c1 1", "a.c2 1", "a.c3 1"])
    }

    @Test func `requests for many choices of columns take the memory of one`() async throws {
        let columns = (0..<60).map { "c\($0)" }
        for length in 1...60 {
            #expect(try await ask("a", Array(columns.suffix(length))).count == length)
            #expect(try await ask("a", columns.prefix(length).reversed()).count == length)
        }
        #expect(reads.next() == 2)
        #expect(await memory.count == 60)
    }

    @Test func `the list of all definitions is read once per minute`() async throws {
        func ask(after seconds: Int) async throws -> [String] {
            try await memory.all(now: start + .seconds(seconds)) { [reads] in ["\(reads.next())"] }
        }
        #expect(try await ask(after: 0) == ["1"])
        #expect(try await ask(after: 59) == ["1"])
        #expect(try await ask(after: 60) == ["2"])
        #expect(await memory.count == 0)
    }

    @Test func `those who ask together share a reading, which goes on without the first of them`() async throws {
        let (gate, opened) = AsyncStream.makeStream(of: Void.self)
        let (began, begins) = AsyncStream.makeStream(of: Void.self)
        let first = Task { [memory, start, reads] in
            try await memory.all(now: start) {
                let read = reads.next()
                begins.finish()
                // It would end here if the reading was cancelled.
                for await _ in gate {}
                try Task.checkCancellation()
                return ["\(read)"]
            }
        }
        for await _ in began {}
        let others = (0..<20).map { _ in
            Task { [memory, start, reads] in
                try await memory.all(now: start) { ["another \(reads.next())"] }
            }
        }
        first.cancel()
        opened.finish()
        for other in others { #expect(try await other.value == ["1"]) }
        #expect(try await first.value == ["1"])
        #expect(reads.next() == 2)
    }

    @Test func `a reading that fails is repeated by the next one who asks`() async throws {
        struct Unavailable: Error {}
        await #expect(throws: Unavailable.self) { try await memory.all(now: start) { throw Unavailable() } }
        #expect(try await memory.all(now: start) { ["read"] } == ["read"])
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
