/// The waits after requests that failed one after another.
struct Backoff: Sendable {
    /// The seconds to wait after the first failure.
    var first = 1.0
    /// The most seconds to wait.
    var longest = 300.0

    /// Returns the seconds to wait. They double with each failure, and up to half of them is taken off at random, so that
    /// devices that failed together don't return together.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row, from 1.
    ///   - jitter: A random number from 0 to 1.
    func delay(after failures: Int, jitter: Double) -> Double {
        let delay = min(longest, first * Double(1 << min(max(0, failures - 1), 30)))
        return delay * (0.5 + jitter / 2)
    }
}
