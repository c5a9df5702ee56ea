import Synchronization

/// Broadcasts summaries of new events to the live streams, separately for each app.
package final class LiveBroadcaster: Sendable {
    /// The most summaries that wait for a slow reader; older ones are dropped.
    private static let backlog = 4

    private struct State {
        var streams: [Int32: [Int: AsyncStream<String>.Continuation]] = [:]
        var number = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    package init() {}

    /// The apps with at least one stream, in ascending order.
    package var apps: [Int32] { state.withLock { $0.streams.keys.sorted() } }

    /// Returns a stream of an app's summaries from now on, or `nil` after `close`.
    func follow(app id: Int32) -> AsyncStream<String>? {
        let (stream, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(Self.backlog))
        let number = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            state.number += 1
            state.streams[id, default: [:]][state.number] = continuation
            return state.number
        }
        guard let number else { return nil }
        continuation.onTermination = { [weak self] _ in self?.leave(app: id, number) }
        return stream
    }

    /// Sends a summary to all streams of an app.
    ///
    /// - Parameter event: the text of a server-sent event, including the empty line at its end.
    package func post(_ event: String, app id: Int32) {
        for continuation in state.withLock({ Array(($0.streams[id] ?? [:]).values) }) { continuation.yield(event) }
    }

    /// Ends all streams, and refuses new ones.
    package func close() {
        let streams = state.withLock { state in
            defer { state.streams = [:] }
            state.isClosed = true
            return state.streams
        }
        for continuation in streams.values.flatMap(\.values) { continuation.finish() }
    }

    private func leave(app id: Int32, _ number: Int) {
        state.withLock { state in
            state.streams[id]?[number] = nil
            if state.streams[id]?.isEmpty == true { state.streams[id] = nil }
        }
    }
}
