import Foundation
import Synchronization

/// What a client knows: each event it sent, how often, and what it was told about it.
final class EventLedger: Sendable {
    enum Outcome: Sendable, Equatable {
        /// Acknowledged, by 200 or 202.
        case ok
        /// Rejected for good.
        case definiteFail(code: String)
        /// No answer yet, none at all, or one that says try again.
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
        /// Answers by status; 0 stands for none.
        var statuses: [Int: Int] = [:]
        var maxUnacked = Duration.zero
        var slowestAnswer = Duration.zero
        /// Answers that the contract has no place for.
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

    /// Notes that a request with these events goes out.
    func sends(_ events: [LedgerEvent], isRetry: Bool) {
        state.withLock { state in
            for event in events {
                state.entries[event.id, default: Entry(event: event)].attempts += 1
                if event.code == nil, !isRetry { state.recent.append(event) }
            }
            if state.recent.count > 1_000 { state.recent.removeFirst(500) }
            if isRetry { state.figures.retries += 1 } else { state.figures.requests += 1 }
        }
    }

    /// An event that was sent lately, to be sent again.
    func recent(_ pick: (Int) -> Int) -> LedgerEvent? {
        state.withLock { $0.recent.isEmpty ? nil : $0.recent[pick($0.recent.count)] }
    }

    /// Notes an answer, or that there was none.
    func answered(status: Int, after duration: Duration) {
        state.withLock { state in
            state.figures.statuses[status, default: 0] += 1
            if status != 0 { state.figures.slowestAnswer = max(state.figures.slowestAnswer, duration) }
        }
    }

    /// Notes what a final answer said about the events of its request.
    ///
    /// - Parameter rejections: codes by position.
    func settles(_ events: [LedgerEvent], rejections: [Int: String], unackedFor duration: Duration) {
        state.withLock { state in
            state.figures.maxUnacked = max(state.figures.maxUnacked, duration)
            for (place, event) in events.enumerated() {
                let outcome = rejections[place].map { Outcome.definiteFail(code: $0) } ?? .ok
                // The same event may stand in several requests: acknowledged once is acknowledged.
                if state.entries[event.id]?.outcome != .ok { state.entries[event.id]?.outcome = outcome }
            }
        }
    }

    func violation(_ what: String) {
        state.withLock { $0.figures.violations.append(what) }
    }
}
