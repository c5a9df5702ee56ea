/// The response bytes of an HTTP/2 connection that its client has not taken yet, and the flow control windows for them.
///
/// Only streams that wait for their client to open a window are blamed. While bytes wait for the socket, `WriteProgress`
/// decides, because a slow but honest client can let a hundred streams wait there.
struct ResponseBacklog {
    enum Verdict: Equatable {
        /// No stream waits for a window.
        case done
        /// The client has opened no window for these streams for the whole timeout.
        case stuck([Int])
        /// The same holds for all streams that are open, or for the connection.
        case allStuck
        /// Streams wait for a window; the caller checks again at this time.
        case checkAgain(ContinuousClock.Instant)
    }

    private struct Stream {
        var window: Int
        var waiting = 0
        var stalledSince: ContinuousClock.Instant?
        /// Whether the stream has been given up. It holds its bytes until it is closed.
        var isAbandoned = false

        mutating func update(at now: ContinuousClock.Instant) {
            stalledSince = waiting > 0 && window <= 0 ? stalledSince ?? now : nil
        }
    }

    /// The window of a connection, and of its streams until the client's settings say otherwise (RFC 9113, 6.9.2).
    private static let defaultWindow = 65_535

    private let timeout: Duration
    private let limit: Int
    private var streams: [Int: Stream] = [:]
    private var initialWindow = defaultWindow
    private var window = defaultWindow
    private var stalledSince: ContinuousClock.Instant?
    /// The bytes of all streams that wait.
    private(set) var waiting = 0

    init(_ limits: HTTPLimits) {
        timeout = limits.writeTimeout
        limit = limits.writeMemory
    }

    mutating func open(_ id: Int) {
        streams[id] = Stream(window: initialWindow)
    }

    mutating func close(_ id: Int) {
        waiting -= streams.removeValue(forKey: id)?.waiting ?? 0
        if waiting == 0 { stalledSince = nil }
    }

    /// Gives a stream up, so that it is not reported again while its reset waits for the socket.
    mutating func abandon(_ id: Int) {
        streams[id]?.isAbandoned = true
    }

    /// Adds bytes of a response, or returns false if the connection already has as many as it can.
    mutating func add(_ count: Int, to id: Int, at now: ContinuousClock.Instant) -> Bool {
        guard waiting < limit || count == 0 else { return false }
        guard streams[id] != nil else { return true }
        waiting += count
        streams[id]?.waiting += count
        update(id, at: now)
        return true
    }

    /// Removes bytes that were handed to the socket.
    mutating func send(_ count: Int, of id: Int, at now: ContinuousClock.Instant) {
        window -= count
        if count > 0 { stalledSince = nil }
        if var stream = streams[id] {
            let sent = min(count, stream.waiting)
            waiting -= sent
            stream.waiting -= sent
            stream.window -= count
            if count > 0 { stream.stalledSince = nil }
            streams[id] = stream
        }
        update(id, at: now)
    }

    /// Opens a window by what the client allows; stream 0 is the connection.
    mutating func openWindow(_ id: Int, by increment: Int, at now: ContinuousClock.Instant) {
        if id == 0 { window += increment } else { streams[id]?.window += increment }
        update(id, at: now)
    }

    /// Changes the windows of all streams, open ones included (RFC 9113, 6.9.2).
    mutating func setInitialWindow(_ size: Int, at now: ContinuousClock.Instant) {
        let change = size - initialWindow
        initialWindow = size
        for id in streams.keys {
            streams[id]?.window += change
            streams[id]?.update(at: now)
        }
    }

    func check(at now: ContinuousClock.Instant) -> Verdict {
        if let stalledSince, now >= stalledSince + timeout { return .allStuck }
        var next = stalledSince.map { $0 + timeout }
        var stuck: [Int] = []
        var open = 0
        for (id, stream) in streams where !stream.isAbandoned {
            open += 1
            guard let end = stream.stalledSince.map({ $0 + timeout }) else { continue }
            if now >= end { stuck.append(id) } else { next = min(next ?? end, end) }
        }
        if !stuck.isEmpty { return stuck.count == open ? .allStuck : .stuck(stuck.sorted()) }
        // Streams whose time ends at almost the same moment are dealt with together.
        return next.map { .checkAgain(max($0, now + timeout / 40)) } ?? .done
    }

    private mutating func update(_ id: Int, at now: ContinuousClock.Instant) {
        streams[id]?.update(at: now)
        stalledSince = waiting > 0 && window <= 0 ? stalledSince ?? now : nil
    }
}
