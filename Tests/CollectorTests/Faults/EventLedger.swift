import Foundation
import Synchronization

/// The knowledge of the clients: each sent event, the number of attempts, and the responses.
final class EventLedger: Sendable {
    enum Outcome: Sendable, Equatable {
        /// The event was acknowledged with 200 or 202.
        case ok
        /// The event was rejected permanently.
        case definiteFail(code: String)
        /// There was no response, or one that asks for a retry.
        case unknown
    }

    struct Entry: Sendable {
        let event: LedgerEvent
        var attempts = 0
        var outcome = Outcome.unknown
    }

    struct Figures: Sendable {
        var requests = 0
        var retries = 0
        /// The number of responses by status; 0 means none.
        var statuses: [Int: Int] = [:]
        var maxUnacked = Duration.zero
        var slowestResponse = Duration.zero
        /// Responses that violate the contract.
        var violations: [String] = []
    }

    private struct State {
        var entries: [UUID: Entry] = [:]
        var recent: [LedgerEvent] = []
        var figures = Figures()
    }

    private let state = Mutex(State())

    var entries: [UUID: Entry] { state.withLock { $0.entries } }
    var figures: Figures { state.withLock { $0.figures } }
    var count: Int { state.withLock { $0.entries.count } }

    /// Records that a request with these events is sent.
    func recordRequest(_ events: [LedgerEvent], isRetry: Bool) {
        state.withLock { state in
            for event in events {
                state.entries[event.id, default: Entry(event: event)].attempts += 1
                if event.code == nil, !isRetry { state.recent.append(event) }
            }
            if state.recent.count > 1_000 { state.recent.removeFirst(500) }
            if isRetry { state.figures.retries += 1 } else { state.figures.requests += 1 }
        }
    }

    /// A recently sent event to send again.
    func recent(_ pick: (Int) -> Int) -> LedgerEvent? {
        state.withLock { $0.recent.isEmpty ? nil : $0.recent[pick($0.recent.count)] }
    }

    /// Records a response or its absence.
    func recordResponse(status: Int, after duration: Duration) {
        state.withLock { state in
            state.figures.statuses[status, default: 0] += 1
            if status != 0 { state.figures.slowestResponse = max(state.figures.slowestResponse, duration) }
        }
    }

    /// Records the outcome of a request's events in a final response.
    ///
    /// - Parameter rejections: the rejection codes by position.
    func recordOutcome(_ events: [LedgerEvent], rejections: [Int: String], unackedFor duration: Duration) {
        state.withLock { state in
            state.figures.maxUnacked = max(state.figures.maxUnacked, duration)
            for (position, event) in events.enumerated() {
                let outcome = rejections[position].map { Outcome.definiteFail(code: $0) } ?? .ok
                // An event can be in several requests; one acknowledgement is enough.
                if state.entries[event.id]?.outcome != .ok { state.entries[event.id]?.outcome = outcome }
            }
        }
    }

    func recordViolation(_ what: String) {
        state.withLock { $0.figures.violations.append(what) }
    }
}

/// An event in the ledger: what was sent, and what must be stored afterwards.
struct LedgerEvent: Sendable {
    let id: UUID
    let json: String
    /// The columns of a valid event that the audit reads back.
    let content: String
    /// Whether the event has typed text, which is stored separately.
    let hasText: Bool
    /// The rejection code of an invalid event.
    let code: String?
}
