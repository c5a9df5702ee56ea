/// Pauses between attempts that double with each failure up to a limit, less a random part.
///
/// The random part keeps clients that failed together from returning together. Pauses are in seconds, because the device
/// library supports systems without `Duration`.
package struct ExponentialBackoff: Sendable {
    private let first: Double
    private let limit: Double
    private let jitter: Double

    /// Creates a back-off.
    ///
    /// - Parameters:
    ///   - first: The pause in seconds after the first failure.
    ///   - limit: The longest pause in seconds.
    ///   - jitter: The largest part of a pause that is taken off at random, from 0 to 1.
    package init(first: Double, limit: Double, jitter: Double) {
        self.first = first
        self.limit = limit
        self.jitter = jitter
    }

    /// Returns the seconds to wait.
    ///
    /// - Parameters:
    ///   - failures: The number of failures in a row, from 1.
    ///   - random: A random number from 0 to 1; at 1 nothing is taken off.
    package func pause(after failures: Int, random: Double) -> Double {
        let pause = min(limit, first * Double(1 << min(max(0, failures - 1), 30)))
        return pause * (1 - jitter * (1 - random))
    }
}
