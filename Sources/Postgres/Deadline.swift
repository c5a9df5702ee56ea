/// The moment by which a blocking call has to be over.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(after duration: Duration) {
        self.end = ContinuousClock.now + duration
    }

    var hasPassed: Bool { ContinuousClock.now >= self.end }

    /// For poll(2): milliseconds left, rounded up; 0 when it has passed.
    func pollTimeout(atMost limit: Int32 = .max) -> Int32 {
        let left = (self.end - ContinuousClock.now).milliseconds
        return Int32(clamping: max(0, min(left, Int64(limit))))
    }
}
