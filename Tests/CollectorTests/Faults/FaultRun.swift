import Foundation
import Synchronization
import Testing

/// One run of a fault: its seed, what was expected and didn't hold, and the ledgers of its loads.
final class FaultRun: Sendable {
    let seed: UInt64
    /// Whether collectors have a spool: then an outage is answered with 202, else with 503.
    let isSpooling: Bool
    /// Whether a failure fails the test; not when the test is whether failures are found.
    private let isSerious: Bool
    private let state = Mutex(State())

    private struct State {
        var failures: [String] = []
        var notes: [String] = []
        var ledgers: [EventLedger] = []
    }

    init(seed: UInt64, isSpooling: Bool = true, isSerious: Bool = true) {
        self.seed = seed
        self.isSpooling = isSpooling
        self.isSerious = isSerious
    }

    /// Notes what doesn't hold, for the test and for the table.
    func expect(
        _ condition: Bool, _ what: @autoclosure () -> String, at location: SourceLocation = #_sourceLocation
    ) {
        guard !condition else { return }
        let failure = what()
        state.withLock { $0.failures.append(failure) }
        if isSerious { Issue.record("\(failure) (seed \(seed))", sourceLocation: location) }
    }

    /// A figure for the table's last column.
    func note(_ text: String) {
        state.withLock { $0.notes.append(text) }
    }

    func add(_ ledger: EventLedger) {
        state.withLock { $0.ledgers.append(ledger) }
    }

    var failures: [String] { state.withLock { $0.failures } }
    var notes: [String] { state.withLock { $0.notes } }
    var ledgers: [EventLedger] { state.withLock { $0.ledgers } }

    /// A random time for the fault, from the seed.
    func pause(_ milliseconds: ClosedRange<Int>, _ random: inout some RandomNumberGenerator) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds, using: &random)))
    }

    /// Waits until something holds; false if it doesn't by the deadline.
    func wait(_ seconds: Int, until holds: () async throws -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if let isTrue = try? await holds(), isTrue { return true }
            try? await Task.sleep(for: .milliseconds(25))
        }
        return false
    }
}
