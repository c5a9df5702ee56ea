/// Decides which apps the next run merges, and how many events, without a clock or a database.
///
/// Usually all apps are merged together, because a run costs nearly as much for one event as for a hundred. An app whose
/// merges are slow or fail is merged apart, so that it holds up only its own reports: it has a share of the time, and
/// smaller runs. To find such an app, each app that waits is merged on its own once after a slow or failed run of all.
///
/// After a full run of all, the next ones merge slices of devices side by side, until fewer events wait. In turn with
/// them, one merges the batches that are of several slices, which nothing else may run beside.
package struct MergeTurns {
    package struct App: Hashable, Sendable {
        package let id: Int32
        package let name: String
    }

    /// The apps of a run.
    package enum Apps: Equatable, Sendable {
        case all(except: [Int32])
        case one(App)
    }

    /// The batches of a run.
    package enum Batches: Equatable, Sendable {
        case all
        /// Those that are of one slice of devices, by several transactions side by side.
        case ofOneSlice
        case ofSeveralSlices
    }

    struct Run: Equatable {
        let apps: Apps
        var batches = Batches.all
        /// The approximate number of events to merge in a transaction.
        let limit: Int
        /// How long the run may take.
        let timeout: Duration
        /// Whether the run only finds out if its app is slow or fails.
        let isCheck: Bool
    }

    /// What an app that is merged apart may do.
    private struct Apart {
        var plan: MergePlan
        var failures = 0
        /// While others have events to merge, it rests for as long as its last run took.
        var restsUntil: ContinuousClock.Instant
        /// Until then it is not merged at all: its last run failed, or found nothing.
        var pausesUntil: ContinuousClock.Instant
        /// It is merged with the others again if no run was slow or failed until then.
        var staysUntil: ContinuousClock.Instant
    }

    /// A change that the log should have.
    enum Change: Equatable {
        case isApart(App)
        case isTogether(App)
    }

    private static let timeout: Duration = .seconds(90)
    /// How long a run of one app may take at first; twice as long after each failure.
    private static let firstTimeout: Duration = .seconds(10)
    /// A run of an app that is merged apart should not take longer, because the others wait for it.
    private static let usualRun: Duration = .seconds(1)
    /// Longer runs show whether an app's events take longer than usual, however few they are.
    private static let costlyRun: Duration = .milliseconds(200)
    /// What an event takes at most that is merged as usual: a multiple of the 20 to 60 us on a small machine.
    private static let usualCost: Duration = .microseconds(200)
    private static let longestPause: Duration = .seconds(60)
    private static let stay: Duration = .seconds(60)
    private static let idlePause: Duration = .milliseconds(500)

    private let maximum: Int
    /// Whether slices are merged side by side.
    private let dividesSlices: Bool
    private var plan: MergePlan
    private var nextBatches = Batches.all
    private var apart: [App: Apart] = [:]
    private var suspects: [App] = []
    private var othersAreNext = true
    private var othersHaveEvents = false
    private var changes: [Change] = []

    init(maximum: Int, dividesSlices: Bool = false) {
        self.maximum = maximum
        self.dividesSlices = dividesSlices
        plan = MergePlan(maximum: maximum)
    }

    /// Begins to look for batches.
    mutating func begin() {
        othersAreNext = true
    }

    /// The next run; nil if there is nothing to do until the worker is woken again.
    mutating func next(_ now: ContinuousClock.Instant) -> Run? {
        if let suspect = suspects.popLast() { return run(of: suspect, isCheck: true) }
        let due = apart.filter { $0.value.pausesUntil <= now && (!othersHaveEvents || $0.value.restsUntil <= now) }
            .min { ($0.value.restsUntil, $0.key.id) < ($1.value.restsUntil, $1.key.id) }
        if let due, !othersAreNext { return run(of: due.key, isCheck: false) }
        guard othersAreNext || othersHaveEvents else { return nil }
        return Run(
            apps: .all(except: apart.keys.map(\.id).sorted()), batches: nextBatches, limit: plan.limit,
            timeout: Self.timeout, isCheck: false)
    }

    private func run(of app: App, isCheck: Bool) -> Run {
        let failures = apart[app]?.failures ?? 0
        return Run(
            apps: .one(app), limit: (apart[app]?.plan ?? firstPlan).limit,
            timeout: min(Self.timeout, Self.firstTimeout * (1 << min(failures, 4))), isCheck: isCheck)
    }

    private var firstPlan: MergePlan { MergePlan(maximum: max(1, maximum / 10)) }

    /// Takes the result of a run.
    ///
    /// - Returns: Whether to look for the apps that made it slow, and to call `suspect` with those that wait.
    mutating func merged(
        _ run: Run, events: Int, in duration: Duration, _ now: ContinuousClock.Instant
    ) -> Bool {
        let isSlow = Self.isSlow(events, in: duration)
        guard case .one(let app) = run.apps else {
            othersAreNext = false
            // If these batches are of no slice, or of one, others may wait.
            othersHaveEvents = events > 0 || run.batches != .all
            nextBatches = batches(after: run, isFull: events >= run.limit && !isSlow)
            if events > 0 || run.batches == .all { plan.succeeded() }
            return isSlow
        }
        othersAreNext = true
        guard isSlow || apart[app] != nil else { return false }
        var state = state(of: app, now)
        state.failures = 0
        if isSlow {
            state.plan.reduce(to: Int(Double(events) * (Self.usualRun / duration)))
        } else if duration < Self.usualRun {
            state.plan.succeeded()
        }
        // Its runs are small now, so they end soon, however slow its merges are. Merged with the others, they would not.
        if duration > Self.costlyRun && duration > Self.usualCost * events { state.staysUntil = now + Self.stay }
        state.restsUntil = now + duration * max(1, apart.count)
        state.pausesUntil = events == 0 ? now + Self.idlePause : now
        apart[app] = state
        if state.staysUntil <= now {
            apart[app] = nil
            changes.append(.isTogether(app))
        }
        return false
    }

    private func batches(after run: Run, isFull: Bool) -> Batches {
        guard dividesSlices else { return .all }
        return switch run.batches {
        case .ofSeveralSlices: .ofOneSlice
        case .ofOneSlice: isFull ? .ofSeveralSlices : .all
        case .all: isFull ? .ofOneSlice : .all
        }
    }

    /// Takes a failed run; returns the same as `merged`.
    mutating func failed(_ run: Run, after duration: Duration, _ now: ContinuousClock.Instant) -> Bool {
        guard case .one(let app) = run.apps else {
            othersAreNext = false
            othersHaveEvents = false
            nextBatches = .all
            plan.failed()
            return true
        }
        othersAreNext = true
        var state = state(of: app, now)
        state.plan.failed()
        state.restsUntil = now + duration * max(1, apart.count)
        state.pausesUntil = now + min(Self.longestPause, .seconds(1 << min(state.failures, 6)))
        state.staysUntil = now + Self.stay
        state.failures += 1
        apart[app] = state
        return false
    }

    private mutating func state(of app: App, _ now: ContinuousClock.Instant) -> Apart {
        if let state = apart[app] { return state }
        changes.append(.isApart(app))
        return Apart(plan: firstPlan, restsUntil: now, pausesUntil: now, staysUntil: now + Self.stay)
    }

    /// Merges some apps that wait on their own next. Those that are merged apart already are left out.
    mutating func suspect(_ apps: [App]) {
        suspects = apps.filter { apart[$0] == nil }
        othersAreNext = true
    }

    /// Which apps came to be merged apart or together since the last call.
    mutating func takeChanges() -> [Change] {
        defer { changes = [] }
        return changes
    }

    /// Whether a run took longer than its events explain.
    private static func isSlow(_ events: Int, in duration: Duration) -> Bool {
        duration > .seconds(2) && duration > usualCost * events
    }
}

/// Decides how many events are merged in one transaction, without a clock or a database.
///
/// The limit is halved after a failed run, whether it took too long or has a batch that can't be merged. So the other
/// batches are merged, and finally the invalid batch is alone and the error names it.
struct MergePlan {
    /// The approximate number of events to merge in one transaction.
    private(set) var limit: Int
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
        limit = maximum
    }

    mutating func succeeded() {
        limit = min(maximum, limit * 2)
    }

    mutating func failed() {
        limit = max(1, limit / 2)
    }

    mutating func reduce(to events: Int) {
        limit = max(1, min(limit, events))
    }
}
