/// A check of whether a body arrives fast enough.
///
/// The clock stops while the server reads nothing, so that the sender isn't blamed for a busy collector.
///
/// The minimum rate applies once for each 128 KiB of the decompressed body. Otherwise a sender could stop after a few
/// kilobytes that became megabytes, and keep them in memory until the timeout.
struct MinimumBodyRate {
    enum Verdict: Equatable {
        case tooSlow
        /// The body is fast enough so far; the caller checks again at this time.
        case checkAgain(ContinuousClock.Instant)
    }

    private let timeout: Duration
    private let grace: Duration
    private let rate: Int
    private var start: ContinuousClock.Instant
    private var pausedAt: ContinuousClock.Instant?
    private var received = 0
    private var pieces = 0
    private var decompressed = 0

    init(_ limits: HTTPLimits, at now: ContinuousClock.Instant) {
        timeout = limits.bodyTimeout
        grace = limits.bodyGrace
        rate = limits.bodyRate
        start = now
    }

    mutating func receive(_ count: Int) {
        received += count
        pieces += 1
    }

    /// Whether the body comes in more than 1,000 pieces of less than 16 bytes on average. Each piece, such as a chunk,
    /// costs far more than a byte.
    var isFragmented: Bool { pieces > 1_000 && received < 16 * pieces }

    /// Notes the size of what was received so far, after decompression.
    mutating func decompress(to count: Int) {
        decompressed = max(decompressed, count)
    }

    /// Stops the clock until `resume`, because the server reads nothing.
    mutating func pause(at now: ContinuousClock.Instant) {
        if pausedAt == nil { pausedAt = now }
    }

    mutating func resume(at now: ContinuousClock.Instant) {
        guard let pausedAt else { return }
        start += pausedAt.duration(to: now)
        self.pausedAt = nil
    }

    func check(at now: ContinuousClock.Instant) -> Verdict {
        if pausedAt != nil { return .checkAgain(now + .milliseconds(250)) }
        // The bytes received so far extend the deadline by the time that they take at the minimum rate.
        let due = rate > 0 ? grace + .seconds(1) * (Double(received) / (Double(rate) * factor)) : timeout
        let end = start + min(timeout, due)
        return now >= end ? .tooSlow : .checkAgain(end)
    }

    private var factor: Double { max(1, Double(decompressed) / Double(DecompressedBody.freeBytes)) }
}

/// Tells a connection how large the body that it receives is after decompression, sent as an outbound event.
package struct DecompressedBody: Sendable {
    /// The size up to which decompression doesn't raise the minimum rate of a body.
    package static let freeBytes = 128 * 1024

    let count: Int

    package init(count: Int) {
        self.count = count
    }
}
