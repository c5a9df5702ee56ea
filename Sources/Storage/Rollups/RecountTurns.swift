/// Decides when the rollup worker recounts conversions, and of which app, without a clock or a database.
///
/// While events wait to be merged, recounting takes at most half of the time. Apps take turns, and one whose recount fails
/// pauses, longer after each failure. An app whose steps are slow or fail has smaller ones until they are fast again,
/// so that the merges of others don't wait for long.
struct RecountTurns {
    private struct Pause {
        var until: ContinuousClock.Instant
        var failures: Int
    }

    /// How long a step may take. The merges of other apps wait for it.
    static let timeout: Duration = .seconds(5)
    /// How many deliveries a step reads at most, which takes a fraction of a second on a machine that is not busy.
    private static let mostDeliveries = 20_000
    /// Fewer would not make a step shorter, because it has other costs, too.
    private static let fewestDeliveries = 250
    /// A step that takes longer is followed by a smaller one, and one that takes less than half of it by a larger one.
    private static let usualStep: Duration = .seconds(1)
    private static let longestPause: Duration = .seconds(600)
    private static let idlePause: Duration = .milliseconds(500)

    /// The app of the last step. The next one is of an app that comes after it.
    private(set) var lastApp: Int32 = 0
    private var restsUntil: ContinuousClock.Instant?
    private var pauses: [Int32: Pause] = [:]
    /// How many deliveries the next step reads, of the apps for which it is not the maximum.
    private var sizes: [Int32: Int] = [:]

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

    /// How many deliveries the next step of an app reads.
    func deliveries(of app: Int32) -> Int {
        sizes[app] ?? Self.mostDeliveries
    }

    /// Whether the next step of an app can read fewer deliveries.
    func canShrink(_ app: Int32) -> Bool {
        deliveries(of: app) > Self.fewestDeliveries
    }

    mutating func recounted(_ app: Int32, in duration: Duration, _ now: ContinuousClock.Instant) {
        lastApp = app
        restsUntil = now + duration
        pauses[app] = nil
        if duration > Self.usualStep {
            resize(app, to: Int(Double(deliveries(of: app)) * (Self.usualStep / duration)))
        } else if duration < Self.usualStep / 2 {
            resize(app, to: deliveries(of: app) * 2)
        }
    }

    /// Goes on to the next app, because no step was taken: the app's rollups are locked, or a seal waits.
    mutating func skipped(_ app: Int32, _ now: ContinuousClock.Instant) {
        lastApp = app
        restsUntil = now
    }

    mutating func failed(_ app: Int32, after duration: Duration, _ now: ContinuousClock.Instant) {
        let failures = (pauses[app]?.failures ?? 0) + 1
        lastApp = app
        restsUntil = now + duration
        pauses[app] = Pause(until: now + min(Self.longestPause, .seconds(10 << min(failures, 6))), failures: failures)
        resize(app, to: deliveries(of: app) / 2)
    }

    private mutating func resize(_ app: Int32, to deliveries: Int) {
        let size = min(Self.mostDeliveries, max(Self.fewestDeliveries, deliveries))
        sizes[app] = size < Self.mostDeliveries ? size : nil
    }
}
