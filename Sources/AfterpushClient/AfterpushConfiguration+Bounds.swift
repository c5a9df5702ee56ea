import Foundation

extension AfterpushConfiguration {
    /// The same with numbers that make sense: what an app got wrong must not end it.
    func bounded() -> AfterpushConfiguration {
        var bounded = self
        bounded.batchEvents = min(max(1, batchEvents), 5_000)
        bounded.maximumBytes = max(0, maximumBytes)
        // Infinite is a delay: until somebody calls `flush`.
        bounded.delay = delay.isNaN ? 0 : max(0, delay)
        bounded.maximumAge = Self.bounded(maximumAge, 0, 100 * 365 * 86_400)
        bounded.requestTimeout = Self.bounded(requestTimeout, 1, 86_400)
        // Never so short that a device does nothing but try.
        bounded.firstRetryDelay = Self.bounded(firstRetryDelay, 0.01, 86_400)
        bounded.longestRetryDelay = Self.bounded(longestRetryDelay, 0.01, 86_400)
        return bounded
    }

    private static func bounded(_ seconds: TimeInterval, _ least: TimeInterval, _ most: TimeInterval) -> TimeInterval {
        seconds.isNaN ? least : min(max(least, seconds), most)
    }
}
