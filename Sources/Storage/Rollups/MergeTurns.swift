/// Decides which apps the next run merges, and how many events, without a clock or a database.
///
/// Usually all apps are merged together, because a run costs nearly as much for one event as for a hundred. An app whose
/// merges are slow or fail is merged apart, beside the others (`ApartTurns`), so that it holds up only its own reports. To
/// find such an app, each app that waits is merged on its own once after a long or failed run of all, and for some time
/// after a run that read far more than its events need (`MergeWatch`). If that takes too long, it is tried again with few
/// events: it may be the machine that is slow.
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
        /// All that are not merged apart.
        case together
        case one(App)

        /// Whether it is one app, but not this one.
        func isOne(except other: Int32?) -> Bool {
            if case .one(let app) = self { app.id != other } else { false }
        }
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
        /// The approximate number of events to merge in a transaction; of verified copies, at most a tenth as many.
        let limit: Int
        /// How long a transaction may take.
        let timeout: Duration
    }

    /// What to do after a run.
    enum Finding: Equatable {
        case nothing
        /// Look for the apps that made it long: call `suspect` with those that wait.
        case isLong
        /// Merge this app apart.
        case isApart(App)
    }

    private static let timeout: Duration = .seconds(10)
    /// The first run of a flood merges a fifth of the events of the longest. Costly events take a second or two then.
    private static let firstDivisor = 5
    /// A full run that takes longer than `longRun` is followed by smaller ones, of about `usualRun`: the reports of all apps
    /// lag by its duration. After one below `shortRun`, they grow again.
    private static let longRun: Duration = .seconds(1.5)
    private static let usualRun: Duration = .seconds(1)
    private static let shortRun: Duration = .seconds(0.75)
    /// How long a run may take that finds out if its app is slow. The others wait meanwhile.
    private static let checkTimeout: Duration = .seconds(4)
    /// Such a run merges a tenth of the events of a run of all, and a second one a hundredth.
    private static let (checkDivisor, secondCheckDivisor) = (10, 100)
    /// The number of long runs of all during which no app is looked for, after none was found.
    private static let patience = 10

    private let maximum: Int
    /// Whether slices are merged side by side.
    private let dividesSlices: Bool
    private var plan: MergePlan
    private var failures = 0
    private var nextBatches = Batches.all
    /// The apps that are merged on their own next, in reverse order.
    private var suspects: [App] = []
    private var watch = MergeWatch()
    /// Whether all are merged together although each should be merged on its own: none waits, or there is only one.
    private var hasNoSuspects = false
    /// The app that is tried again with fewer events.
    private var secondCheck: App?
    /// The long runs that are left until apps are looked for again.
    private var longRunsLeft = 0
    private var isNext = true

    init(maximum: Int, dividesSlices: Bool = false) {
        self.maximum = maximum
        self.dividesSlices = dividesSlices
        plan = MergePlan(maximum: maximum, first: max(1, maximum / Self.firstDivisor))
    }

    /// Begins to look for batches.
    mutating func begin() {
        isNext = true
    }

    /// Whether `suspect` has to be called before the next run, with the apps that wait.
    func needsSuspects(_ now: ContinuousClock.Instant) -> Bool {
        watch.isOn(now) && isNext && suspects.isEmpty && secondCheck == nil && !hasNoSuspects
    }

    /// The next run; nil if there is nothing to do until the worker is woken again.
    mutating func next() -> Run? {
        if let app = secondCheck {
            return Run(
                apps: .one(app), limit: max(1, maximum / Self.secondCheckDivisor), timeout: Self.checkTimeout)
        }
        if let app = suspects.popLast() {
            return Run(apps: .one(app), limit: max(1, maximum / Self.checkDivisor), timeout: Self.checkTimeout)
        }
        guard isNext else { return nil }
        return Run(
            apps: .together, batches: nextBatches, limit: plan.limit,
            timeout: MergeCost.timeout(Self.timeout, failures: failures))
    }

    /// Takes the result of a run.
    mutating func merged(_ run: Run, _ outcome: MergeCost.Outcome, _ now: ContinuousClock.Instant) -> Finding {
        let (events, duration) = (outcome.events, outcome.duration)
        if case .one(let app) = run.apps {
            isNext = true
            secondCheck = nil
            if events == 0, watch.isOn(now) {
                // Another worker merges, and there is nothing to do until the next wake.
                suspects = []
                isNext = false
            }
            return MergeCost.isSlow(outcome) ? isApart(app) : .nothing
        }
        hasNoSuspects = false
        let isLong = MergeCost.isLong(events, in: duration)
        // The same limit would be too short again otherwise.
        if duration < Self.timeout / 2 { failures = 0 }
        // If these batches are of no slice, or of one, others may wait.
        isNext = events > 0 || run.batches != .all
        nextBatches = batches(after: run, isFull: events >= run.limit && !isLong)
        if events >= run.limit {
            if duration > Self.longRun {
                plan.reduce(to: Int(Double(events) * (Self.usualRun / duration)))
            } else if duration < Self.shortRun {
                plan.succeeded()
            }
        } else if run.batches == .all, duration < Self.shortRun {
            plan.caughtUp()
        }
        if MergeCost.readsTooMuch(outcome) {
            watch.begin(now)
            return .isLong
        }
        guard isLong else { return .nothing }
        longRunsLeft -= 1
        return longRunsLeft < 0 ? .isLong : .nothing
    }

    private mutating func isApart(_ app: App) -> Finding {
        longRunsLeft = 0
        return .isApart(app)
    }

    private func batches(after run: Run, isFull: Bool) -> Batches {
        guard dividesSlices else { return .all }
        return switch run.batches {
        case .ofSeveralSlices: .ofOneSlice
        case .ofOneSlice: isFull ? .ofSeveralSlices : .all
        case .all: isFull ? .ofOneSlice : .all
        }
    }

    /// Takes a failed run.
    ///
    /// - Parameter isTimeout: Whether it failed because it took too long.
    mutating func failed(_ run: Run, isTimeout: Bool) -> Finding {
        if case .one(let app) = run.apps {
            isNext = true
            guard isTimeout, secondCheck != app else {
                secondCheck = nil
                return isApart(app)
            }
            secondCheck = app
            return .nothing
        }
        failures += 1
        isNext = false
        hasNoSuspects = false
        nextBatches = .all
        plan.failed()
        return .isLong
    }

    /// Merges some apps that wait on their own next.
    mutating func suspect(_ apps: [App]) {
        suspects = apps.reversed()
        hasNoSuspects = apps.isEmpty
        longRunsLeft = Self.patience
        isNext = true
    }
}
