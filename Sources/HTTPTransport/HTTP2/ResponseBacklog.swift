/// The response bytes of an HTTP/2 connection that its client has not taken yet, and the flow control windows for them.
///
/// Only streams that wait for their client to open a window are blamed. While bytes wait for the socket, `WriteProgress`
/// decides, because a slow but honest client can let a hundred streams wait there.
struct ResponseBacklog {
    enum Verdict: Equatable {
        /// No stream waits for a window.
        case done
        /// The client has left the windows of these streams closed for too long.
        case stuck([Int])
        /// The same holds for all streams that are open, or for the connection.
        case allStuck
        /// Streams wait for a window; the caller checks again at this time.
        case checkAgain(ContinuousClock.Instant)
    }

    /// The flow control window of a stream or of the connection.
    private struct Window {
        /// The bytes per second that a client is expected to read at least.
        private static let slowestReader = 16 * 1024
        /// The most bytes for which a client gets time.
        private static let largest = 16 * 1024 * 1024

        var size: Int
        /// The bytes that were sent and for which the window has not been opened again.
        private var unread = 0
        /// The time that was left when the window last opened, or more if nothing has waited for it since.
        private var left = Window.plenty
        private var closedSince: ContinuousClock.Instant?

        private static let plenty = Duration.seconds(1 << 40)

        init(size: Int) {
            self.size = size
        }

        /// Notes bytes that were sent. They give the client the time that they take at the minimum rate.
        mutating func send(_ count: Int, _ limits: HTTPLimits, at now: ContinuousClock.Instant) {
            guard count > 0 else { return }
            pause(limits, at: now)
            size -= count
            unread = min(Self.largest, unread + count)
            left = limits.writeRate > 0 ? left + .seconds(1) * (Double(count) / Double(limits.writeRate)) : Self.plenty
        }

        mutating func open(by increment: Int) {
            size += increment
            unread = max(0, unread - increment)
        }

        /// Notes since when bytes wait only because the window is closed.
        ///
        /// - Parameter isAwaited: whether bytes wait. If not, the client has all its time again.
        mutating func update(isAwaited: Bool, _ limits: HTTPLimits, at now: ContinuousClock.Instant) {
            if !isAwaited {
                closedSince = nil
                left = Self.plenty
            } else if size > 0 {
                pause(limits, at: now)
            } else if closedSince == nil {
                closedSince = now
            }
        }

        private mutating func pause(_ limits: HTTPLimits, at now: ContinuousClock.Instant) {
            guard let closedSince else { return }
            left = min(left, most(limits)) - closedSince.duration(to: now)
            self.closedSince = nil
        }

        /// The time at which the window has been closed for too long.
        func deadline(_ limits: HTTPLimits) -> ContinuousClock.Instant? {
            closedSince.map { $0 + min(left, most(limits)) }
        }

        /// The most time that the client has.
        ///
        /// Most clients open a window again only after they have read half of what came through it, which can be 8 MiB.
        /// They get the time to do so.
        private func most(_ limits: HTTPLimits) -> Duration {
            limits.writeTimeout + .seconds(unread) / Self.slowestReader
        }
    }

    private struct Stream {
        var window: Window
        var waiting = 0
        /// Whether the stream has been given up. It holds its bytes until it is closed.
        var isAbandoned = false

        mutating func update(_ limits: HTTPLimits, at now: ContinuousClock.Instant) {
            window.update(isAwaited: waiting > 0, limits, at: now)
        }
    }

    /// The window of a connection, and of its streams until the client's settings say otherwise (RFC 9113, 6.9.2).
    private static let defaultWindow = 65_535

    private let limits: HTTPLimits
    private var streams: [Int: Stream] = [:]
    private var initialWindow = defaultWindow
    private var window = Window(size: defaultWindow)
    /// The bytes of all streams that wait.
    private(set) var waiting = 0

    init(_ limits: HTTPLimits) {
        self.limits = limits
    }

    /// The number of streams whose responses wait for the client to open their window, or that of the connection.
    var blockedStreams: Int {
        guard waiting > 0 else { return 0 }
        return streams.values.count { $0.waiting > 0 && ($0.window.size <= 0 || window.size <= 0) }
    }

    mutating func open(_ id: Int) {
        streams[id] = Stream(window: Window(size: initialWindow))
    }

    mutating func close(_ id: Int, at now: ContinuousClock.Instant) {
        waiting -= streams.removeValue(forKey: id)?.waiting ?? 0
        window.update(isAwaited: waiting > 0, limits, at: now)
    }

    /// Gives a stream up, so that it is not reported again while its reset waits for the socket.
    mutating func abandon(_ id: Int) {
        streams[id]?.isAbandoned = true
    }

    /// Adds bytes of a response, or returns false if the connection already has as many as it can.
    mutating func add(_ count: Int, to id: Int, at now: ContinuousClock.Instant) -> Bool {
        guard waiting < limits.writeMemory || count == 0 else { return false }
        guard let index = streams.index(forKey: id) else { return true }
        waiting += count
        streams.values[index].waiting += count
        streams.values[index].update(limits, at: now)
        window.update(isAwaited: waiting > 0, limits, at: now)
        return true
    }

    /// Removes bytes that were handed to the socket.
    mutating func send(_ count: Int, of id: Int, at now: ContinuousClock.Instant) {
        if let index = streams.index(forKey: id) {
            let sent = min(count, streams.values[index].waiting)
            waiting -= sent
            streams.values[index].waiting -= sent
            streams.values[index].window.send(count, limits, at: now)
            streams.values[index].update(limits, at: now)
        }
        window.send(count, limits, at: now)
        window.update(isAwaited: waiting > 0, limits, at: now)
    }

    /// Opens a window by what the client allows; stream 0 is the connection.
    mutating func openWindow(_ id: Int, by increment: Int, at now: ContinuousClock.Instant) {
        if id == 0 {
            window.open(by: increment)
            window.update(isAwaited: waiting > 0, limits, at: now)
        } else if let index = streams.index(forKey: id) {
            streams.values[index].window.open(by: increment)
            streams.values[index].update(limits, at: now)
        }
    }

    /// Changes the windows of all streams, open ones included (RFC 9113, 6.9.2).
    mutating func setInitialWindow(_ size: Int, at now: ContinuousClock.Instant) {
        let change = size - initialWindow
        let limits = limits
        initialWindow = size
        for id in streams.keys {
            streams[id]?.window.size += change
            streams[id]?.update(limits, at: now)
        }
    }

    func check(at now: ContinuousClock.Instant) -> Verdict {
        var next = window.deadline(limits)
        if let next, now >= next { return .allStuck }
        var stuck: [Int] = []
        var open = 0
        for (id, stream) in streams where !stream.isAbandoned {
            open += 1
            guard let deadline = stream.window.deadline(limits) else { continue }
            if now >= deadline { stuck.append(id) } else { next = min(next ?? deadline, deadline) }
        }
        if !stuck.isEmpty { return stuck.count == open ? .allStuck : .stuck(stuck.sorted()) }
        // Streams whose time ends at almost the same moment are dealt with together.
        return next.map { .checkAgain(max($0, now + limits.writeTimeout / 40)) } ?? .done
    }
}
