/// How much goes into one request.
struct BatchLimits: Sendable, Equatable {
    var events: Int
    /// Of JSON, before it is compressed.
    let bytes: Int
    private let mostEvents: Int

    init(events: Int, bytes: Int = 256 * 1024) {
        self.events = max(1, events)
        self.bytes = bytes
        mostEvents = self.events
    }

    /// After a request that was too much.
    mutating func halve(_ sent: Int) {
        events = max(1, sent / 2)
    }

    /// After one that was not.
    mutating func grow() {
        events = min(mostEvents, events * 2)
    }
}
