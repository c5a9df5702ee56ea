/// How long to wait after requests that failed one after another.
struct Backoff: Sendable {
    /// Seconds after the first failure.
    var first = 1.0
    var longest = 300.0

    /// Seconds to wait: twice as long each time, and half of it by chance, so that devices that failed together don't
    /// come back together.
    ///
    /// - Parameters:
    ///   - failures: in a row, from 1.
    ///   - jitter: from 0 to 1.
    func delay(after failures: Int, jitter: Double) -> Double {
        let delay = min(longest, first * Double(1 << min(max(0, failures - 1), 30)))
        return delay * (0.5 + jitter / 2)
    }
}
