package import Backoff

extension Duration {
    /// The pause of a back-off, to the microsecond.
    package static func pause(_ backoff: ExponentialBackoff, after failures: Int, random: Double) -> Duration {
        .microseconds(Int64((backoff.pause(after: failures, random: random) * 1_000_000).rounded()))
    }
}
