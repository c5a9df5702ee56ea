/// For how long each app is merged on its own, after a run of all apps read far more than its events need.
///
/// The app that made it do so has nothing that waits then, so checking those that wait would not find it. It is found as
/// soon as it has something again. The time is longer each time that this happens again.
struct MergeWatch {
    private static let first: Duration = .seconds(60)
    private static let longest: Duration = .seconds(3_600)

    private var period = Self.first
    private var end: ContinuousClock.Instant?

    func isOn(_ now: ContinuousClock.Instant) -> Bool { end.map { now < $0 } ?? false }

    mutating func begin(_ now: ContinuousClock.Instant) {
        period = end.map { $0.duration(to: now) < period * 10 } ?? false ? min(period * 2, Self.longest) : Self.first
        end = now + period
    }
}
