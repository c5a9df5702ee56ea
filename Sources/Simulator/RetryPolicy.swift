/// When a request is tried again.
struct RetryPolicy {
    /// The first one included.
    var tries = 8
    var firstDelay = 0.1
    var longestDelay = 10.0

    /// Seconds to wait after a failed try; nil to give up.
    ///
    /// - Parameters:
    ///   - status: of the answer; nil if none came.
    ///   - retryAfter: seconds that the answer asked for, waited at least, up to the longest delay.
    ///   - jitter: from 0 to 1, so that those who failed together don't come back together.
    func delay(after tries: Int, status: Int?, retryAfter: Double?, jitter: Double) -> Double? {
        let mayPass = status.map { [408, 429, 502, 503, 504].contains($0) } ?? true
        guard mayPass, tries < self.tries else { return nil }
        let delay = firstDelay * Double(1 << min(max(0, tries - 1), 16))
        return min(longestDelay, max(retryAfter ?? 0, delay * (0.5 + jitter / 2)))
    }
}
