import AfterpushWire

/// What the fleet's devices post, in small batches.
struct Outbox {
    private let now: Timestamp
    private var posts: [Post] = []

    private struct Post {
        let request: IngestRequest
        /// Where it stands among the others: usually right after its last event.
        let due: Int64
    }

    init(now: Timestamp) {
        self.now = now
    }

    /// In the order in which devices get to post them.
    var requests: [IngestRequest] {
        // The place breaks ties, because the sort need not be stable.
        posts.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
            .map(\.element.request)
    }

    mutating func add(_ reports: [IngestEvent], from device: SimulatedDevice, dice: inout Dice) {
        // Equal times keep the order in which things happened.
        let ordered = reports.enumerated()
            .sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }
            .map(\.element)
        var start = 0
        while start < ordered.count {
            let end = min(ordered.count, start + Int.random(in: 4...5, using: &dice))
            post(Array(ordered[start..<end]), from: device, dice: &dice)
            start = end
        }
    }

    private mutating func post(_ batch: [IngestEvent], from device: SimulatedDevice, dice: inout Dice) {
        let request = IngestRequest(sentAt: now.advanced(by: device.clockSkew), events: batch)
        let last = batch.last?.occurredAt ?? now
        let due = device.isOftenOffline ? max(last, now).microseconds : last.microseconds
        posts.append(Post(request: request, due: due))
        // An answer that got lost is a request that comes again.
        if dice.happens(0.02) { posts.append(Post(request: request, due: due + 60_000_000)) }
    }
}
