/// Decides when the rollup worker recounts conversions, and of which app, without a clock or a database.
///
/// While events wait to be merged, recounting takes at most half of the time. Apps take turns, and one whose recount fails
/// pauses, longer after each failure.
struct RecountTurns {
    private struct Pause {
        var until: ContinuousClock.Instant
        var failures: Int
    }

    /// How long a step may take. Steps are small, so a longer one is of a device with very many deliveries.
    static let timeout: Duration = .seconds(20)
    private static let longestPause: Duration = .seconds(600)
    private static let idlePause: Duration = .milliseconds(500)

    /// The app of the last step. The next one is of an app that comes after it.
    private(set) var lastApp: Int32 = 0
    private var restsUntil: ContinuousClock.Instant?
    private var pauses: [Int32: Pause] = [:]

    /// Whether a step may be taken although events wait to be merged.
    func isDue(_ now: ContinuousClock.Instant) -> Bool {
        restsUntil.map { $0 <= now } ?? true
    }

    /// The apps that pause.
    func pausing(_ now: ContinuousClock.Instant) -> [Int32] {
        pauses.filter { $0.value.until > now }.keys.sorted()
    }

    mutating func foundNone(_ now: ContinuousClock.Instant) {
        restsUntil = now + Self.idlePause
    }

    mutating func recounted(_ app: Int32, in duration: Duration, _ now: ContinuousClock.Instant) {
        lastApp = app
        restsUntil = now + duration
        pauses[app] = nil
    }

    mutating func failed(_ app: Int32, after duration: Duration, _ now: ContinuousClock.Instant) {
        let failures = (pauses[app]?.failures ?? 0) + 1
        lastApp = app
        restsUntil = now + duration
        pauses[app] = Pause(until: now + min(Self.longestPause, .seconds(10 << min(failures, 6))), failures: failures)
    }
}
