import Foundation
import Synchronization
import Testing

/// A run of a fault with its seed, its failed expectations, and the ledgers of its loads.
final class FaultRun: Sendable {
    let seed: UInt64
    /// Whether collectors have a spool: then the response during an outage is 202, otherwise 503.
    let isSpooling: Bool
    /// Whether a failed expectation fails the test; false in tests of the audit.
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

    /// Records a failed expectation for the test and the table.
    func expect(
        _ condition: Bool, _ what: @autoclosure () -> String, at location: SourceLocation = #_sourceLocation
    ) {
        guard !condition else { return }
        let failure = what()
        state.withLock { $0.failures.append(failure) }
        if isSerious { Issue.record("\(failure) (seed \(seed))", sourceLocation: location) }
    }

    /// Records a note for the table's last column.
    func note(_ text: String) {
        state.withLock { $0.notes.append(text) }
    }

    func add(_ ledger: EventLedger) {
        state.withLock { $0.ledgers.append(ledger) }
    }

    var failures: [String] { state.withLock { $0.failures } }
    var notes: [String] { state.withLock { $0.notes } }
    var ledgers: [EventLedger] { state.withLock { $0.ledgers } }

    /// Waits for a random time that depends on the seed.
    func pause(_ milliseconds: ClosedRange<Int>, _ random: inout some RandomNumberGenerator) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: milliseconds, using: &random)))
    }

    /// Waits for a condition; returns false if it is not met by the deadline.
    func wait(_ seconds: Int, until holds: () async throws -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline {
            if let isTrue = try? await holds(), isTrue { return true }
            try? await Task.sleep(for: .milliseconds(25))
        }
        return false
    }
}
