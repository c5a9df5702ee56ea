import AfterpushWire

/// How far the sender's clock was off when the request arrived.
struct ClockCorrection {
    /// Microseconds to add to the sender's times; nil if it did not state its own.
    private let skew: Int64?

    init(sentAt: Timestamp?, receivedAt: Timestamp) {
        skew = sentAt.map { sentAt in
            let difference = receivedAt.microseconds - sentAt.microseconds
            // Less than a minute is as likely the network's as the clock's.
            return abs(difference) < 60_000_000 ? 0 : difference
        }
    }

    var milliseconds: Int64? { skew.map { $0 / 1_000 } }

    func corrected(_ time: Timestamp) -> Timestamp {
        Timestamp(microseconds: time.microseconds + (skew ?? 0))
    }
}
