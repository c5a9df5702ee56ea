import AfterpushWire
import Ingest
import Synchronization
import Testing

@testable import Spool
@testable import Timing

/// Tests where a group goes if PostgreSQL does not store it.
@Suite struct FallbackTests {
    private let directory: SpoolDirectory
    private let breaker = CircuitBreaker(logger: SpoolSample.logger)

    init() throws {
        directory = try SpoolDirectory()
    }

    /// A scripted database that counts its calls.
    private final class StubSink: EventSink {
        enum Behaviour { case stores, fails, refuses, hangs }

        let behaviour: Mutex<Behaviour>
        let calls = Mutex(0)
        /// What preparing a group does, or `nil` if no group needs it.
        let preparation = Mutex<Behaviour?>(nil)
        let preparations = Mutex(0)

        init(_ behaviour: Behaviour) {
            self.behaviour = Mutex(behaviour)
        }

        func store(_ group: EventGroup) async throws(SinkError) -> [SubmissionOutcome] {
            calls.withLock { $0 += 1 }
            switch behaviour.withLock({ $0 }) {
            case .stores: return group.results
            case .fails: throw .unavailable
            case .refuses: throw .refused
            case .hangs:
                // Longer than any test, and not cancellable, like libpq.
                await Task.detached { try? await Task.sleep(for: .seconds(30)) }.value
                return group.results
            }
        }

        func needsPreparation(_ group: EventGroup) -> Bool { preparation.withLock { $0 != nil } }

        func prepare(_ group: EventGroup) async throws(SinkError) {
            preparations.withLock { $0 += 1 }
            switch preparation.withLock({ $0 }) {
            case .stores, nil: break
            case .fails: throw .unavailable
            case .refuses: throw .namesLocked(apps: Set(group.pending.map(\.appID)))
            case .hangs: await Task.detached { try? await Task.sleep(for: .seconds(30)) }.value
            }
        }
    }

    private func sink(_ stub: StubSink, _ spool: Spool?) -> FallbackSink {
        var configuration = FallbackSink.Configuration()
        configuration.timeout = .milliseconds(100)
        configuration.timeoutWithoutSpool = .milliseconds(200)
        return FallbackSink(
            stub, spool: spool, breaker: breaker, configuration: configuration, logger: SpoolSample.logger)
    }

    @Test func `a group that PostgreSQL stores is committed, and the spool remains empty`() async throws {
        let spool = try await directory.open()
        let outcomes = try await sink(StubSink(.stores), spool).store(try SpoolSample.group(["a"]))
        #expect(outcomes.map(\.durability) == [.committed])
        #expect(await spool.status.entries == 0)
    }

    @Test(arguments: [0, 1])
    func `groups are spooled after a failure without trying PostgreSQL again`(hanging: Int) async throws {
        let spool = try await directory.open()
        let stub = StubSink(hanging == 1 ? .hangs : .fails)
        let sink = sink(stub, spool)
        for number in 0..<3 {
            let outcomes = try await sink.store(try SpoolSample.group(["n\(number)"]))
            #expect(outcomes.map(\.durability) == [.spooled])
        }
        #expect(stub.calls.withLock { $0 } == 1)
        #expect(SpoolSample.names(try await spool.oldest(10, events: 10)) == ["n0", "n1", "n2"])
        breaker.recordSuccess()
        stub.behaviour.withLock { $0 = .stores }
        #expect(try await sink.store(try SpoolSample.group(["n3"])).map(\.durability) == [.committed])
    }

    @Test(arguments: [0, 1])
    func `nothing is acknowledged without a spool`(hanging: Int) async throws {
        let sink = sink(StubSink(hanging == 1 ? .hangs : .fails), nil)
        await #expect(throws: SinkError.unavailable) { try await sink.store(try SpoolSample.group(["a"])) }
        await #expect(throws: SinkError.unavailable) { try await sink.store(try SpoolSample.group(["a"])) }
    }

    @Test func `a group that PostgreSQL refuses is spooled, and others are still stored`() async throws {
        let spool = try await directory.open()
        let stub = StubSink(.refuses)
        #expect(try await sink(stub, spool).store(try SpoolSample.group(["a"])).map(\.durability) == [.spooled])
        #expect(!breaker.isOpen)
    }

    @Test func `a group is prepared before it is stored, and names that take too long are no outage`() async throws {
        let spool = try await directory.open()
        let stub = StubSink(.stores)
        let sink = sink(stub, spool)
        let group = try SpoolSample.group(["a"])
        #expect(try await sink.store(group).map(\.durability) == [.committed])
        #expect(stub.preparations.withLock { $0 } == 0)
        stub.preparation.withLock { $0 = .stores }
        #expect(try await sink.store(group).map(\.durability) == [.committed])
        stub.preparation.withLock { $0 = .refuses }
        #expect(try await sink.store(group).map(\.durability) == [.spooled])
        #expect(stub.preparations.withLock { $0 } == 2 && stub.calls.withLock { $0 } == 2)
        #expect(!breaker.isOpen)
    }

    @Test(arguments: [0, 1])
    func `a group that PostgreSQL can't prepare opens the circuit breaker`(hanging: Int) async throws {
        let spool = try await directory.open()
        let stub = StubSink(.stores)
        stub.preparation.withLock { $0 = hanging == 1 ? .hangs : .fails }
        #expect(try await sink(stub, spool).store(try SpoolSample.group(["a"])).map(\.durability) == [.spooled])
        #expect(breaker.isOpen && stub.calls.withLock { $0 } == 0)
    }

    @Test func `a full spool refuses groups, and later accepts them again`() async throws {
        let spool = try await directory.open { $0.freeMargin = 1 << 60 }
        await #expect(throws: SinkError.overloaded) {
            try await sink(StubSink(.fails), spool).store(try SpoolSample.group(["a"]))
        }
    }

    @Test func `requests wait no longer than the limit for an operation that can't be cancelled`() async throws {
        // It ends when both have been notified, or much later, so that the test ends in any case.
        let (ends, end) = AsyncStream<Never>.makeStream()
        let clock = Task {
            try await Task.sleep(for: .seconds(120))
            end.finish()
        }
        defer {
            clock.cancel()
            end.finish()
        }
        let stuck = Task.detached { for await _ in ends {} }
        await #expect(throws: TimeoutError.self) {
            try await withTimeout(.milliseconds(50)) { await stuck.value }
        }
        let cancelled = Task {
            try await withTimeout(.seconds(600)) { await stuck.value }
        }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await withTimeout(.seconds(600)) { 7 } == 7)
    }
}
