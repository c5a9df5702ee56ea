/// Decides which of the apps that are merged apart the next run merges, and how many events, without a clock or a
/// database.
///
/// Apps take turns. After each run, its app rests for as long as it took, so that it leaves processor time to others, and
/// an app with short runs waits for at most one run of each of the others.
struct ApartTurns {
    private struct State {
        var plan: MergePlan
        var failures = 0
        var lastRun: ContinuousClock.Instant
        /// Until then it is not merged: it rests, or its last run failed or found nothing.
        var pausesUntil: ContinuousClock.Instant
        /// It is merged with the others again if no run was slow or failed until then.
        var staysUntil: ContinuousClock.Instant
    }

    /// The time limit of an app's first run.
    private static let timeout: Duration = .seconds(10)
    /// A run should not take longer, because the app's erasures and the other apps here wait for it.
    private static let usualRun: Duration = .seconds(5)
    private static let longestPause: Duration = .seconds(60)
    private static let stay: Duration = .seconds(600)
    private static let idlePause: Duration = .milliseconds(500)

    private let maximum: Int
    private var states: [MergeTurns.App: State] = [:]

    init(maximum: Int) {
        self.maximum = max(1, maximum / 10)
    }

    /// Takes the apps that are merged apart now.
    mutating func update(_ apps: [MergeTurns.App], _ now: ContinuousClock.Instant) {
        states = states.filter { apps.contains($0.key) }
        for app in apps where states[app] == nil {
            let plan = MergePlan(maximum: maximum, first: maximum)
            states[app] = State(plan: plan, lastRun: now, pausesUntil: now, staysUntil: now + Self.stay)
        }
    }

    /// The next run; nil if no app has its turn now.
    func next(_ now: ContinuousClock.Instant) -> MergeTurns.Run? {
        states.filter { $0.value.pausesUntil <= now }
            .min { ($0.value.lastRun, $0.key.id) < ($1.value.lastRun, $1.key.id) }
            .map { app, state in
                MergeTurns.Run(
                    apps: .one(app), limit: state.plan.limit,
                    timeout: MergeCost.timeout(Self.timeout, failures: state.failures))
            }
    }

    /// Takes the result of an app's run.
    ///
    /// - Returns: Whether the app should be merged together with the others again.
    mutating func merged(
        _ app: MergeTurns.App, _ outcome: MergeCost.Outcome, _ now: ContinuousClock.Instant
    ) -> Bool {
        let (events, duration) = (outcome.events, outcome.duration)
        guard var state = states[app] else { return false }
        state.failures = 0
        state.lastRun = now
        if MergeCost.isLong(events, in: duration) {
            state.plan.reduce(to: Int(Double(events) * (Self.usualRun / duration)))
        } else if duration < Self.usualRun {
            state.plan.succeeded()
        }
        // Its runs are small, so they end soon, however slow its merges are. Merged with the others, they would not.
        if MergeCost.isCostly(outcome) { state.staysUntil = now + Self.stay }
        state.pausesUntil = now + (events > 0 ? duration : max(duration, Self.idlePause))
        states[app] = state
        return state.staysUntil <= now
    }

    /// Takes an app's failed run.
    mutating func failed(_ app: MergeTurns.App, after duration: Duration, _ now: ContinuousClock.Instant) {
        guard var state = states[app] else { return }
        state.plan.failed()
        state.lastRun = now
        state.pausesUntil = now + max(duration, min(Self.longestPause, .seconds(1 << min(state.failures, 6))))
        state.staysUntil = now + Self.stay
        state.failures += 1
        states[app] = state
    }
}
