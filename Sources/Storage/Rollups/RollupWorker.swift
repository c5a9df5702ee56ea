import Events
package import Instruments
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Merges committed batches into deliveries and rollups, for as long as the program runs.
///
/// Any number of workers can run with one database. The one that has locked the worker row works, and the others wait. One
/// that is behind merges slices of devices side by side, on several connections. Apps whose merges are slow or fail are
/// merged beside the others, on a connection of their own.
package struct RollupWorker: Service {
    /// The size and the frequency of runs.
    ///
    /// A run competes with requests and costs nearly as much for one event as for a hundred, so the worker pauses after
    /// each run that is not full.
    ///
    /// | property | meaning |
    /// | --- | --- |
    /// | `eventsPerRun` | approximate number of events merged in one transaction |
    /// | `connections` | how many transactions of a run that is behind are side by side |
    /// | `pace`, `longestPace` | limits of the pause after a run, which is ten times the run's duration |
    /// | `smallRun` | a run has low priority if the previous one merged fewer events and was not full |
    /// | `pause` | time between checks while no batch is waiting and no commit was announced |
    package struct Configuration: Sendable {
        package var eventsPerRun = 50_000
        package var connections = Self.mostConnections
        package var pace: Duration = .milliseconds(250)
        package var longestPace: Duration = .seconds(1)
        package var smallRun = 10_000
        package var pause: Duration = .milliseconds(500)

        /// Two, if the database has two processors: one of them has other work while events come in.
        package static let mostConnections = 2

        package init() {}
    }

    let pool: ConnectionPool
    let configuration: Configuration
    private let metrics: RollupMetrics
    let logger: Logger
    private let setPriority: @Sendable (_ backendPID: Int32, _ yields: Bool) -> Void
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// Creates a worker.
    ///
    /// - Parameters:
    ///   - pool: The pool of the worker role.
    ///   - setPriority: Called before each run with the process ID of its backend, and whether that process should have
    ///     low priority.
    package init(
        pool: ConnectionPool, configuration: Configuration = Configuration(), metrics: RollupMetrics = RollupMetrics(),
        logger: Logger, setPriority: @escaping @Sendable (_ backendPID: Int32, _ yields: Bool) -> Void = { _, _ in }
    ) {
        self.pool = pool
        self.configuration = configuration
        self.metrics = metrics
        self.logger = logger
        self.setPriority = setPriority
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the worker after a group was stored.
    package func wake() {
        waker.yield()
    }

    package func run() async throws {
        let ticker = waker
        let pause = configuration.pause
        await withTaskGroup { group in
            // The ticker finds batches of other collectors, which don't call this worker. It ends with the worker.
            group.addTask {
                while (try? await Task.sleep(for: pause)) != nil { ticker.yield() }
            }
            group.addTask { await self.workApart() }
            group.addTask { await self.work() }
            await group.next()
            group.cancelAll()
        }
    }

    private func work() async {
        var turns = MergeTurns(
            maximum: configuration.eventsPerRun, dividesSlices: configuration.connections > 1)
        var recounts = RecountTurns()
        for await _ in wakes.cancelOnGracefulShutdown() {
            turns.begin()
            var yieldsPriority = true
            while true {
                if Task.isCancelled || Task.isShuttingDownGracefully { return }
                if turns.needsSuspects(.now) {
                    // Meanwhile, more events come that are merged together.
                    try? await Task.sleep(for: configuration.pace)
                    turns.suspect(await waitingApps())
                }
                let next = turns.next()
                if next == nil || recounts.isDue(.now), await recountNext(&recounts), next == nil {
                    // Batches may have come meanwhile.
                    turns.begin()
                    continue
                }
                guard let run = next else { break }
                let finding: MergeTurns.Finding
                do {
                    // How long a run of one app takes should not depend on what else the machine does.
                    let outcome = try await rollUpUnlessStopped(
                        run, givingWay: yieldsPriority && run.apps == .together)
                    let events = outcome.events
                    if run.batches == .all || run.batches == .ofOneSlice && events > 0 {
                        yieldsPriority = events < min(configuration.smallRun, run.limit)
                    }
                    finding = turns.merged(run, outcome, .now)
                    if events > 0 && events < run.limit && run.apps == .together && run.batches == .all {
                        try? await Task.sleep(for: rest(after: outcome.duration))
                    } else if events > 0, await isErasureWaiting() {
                        try? await Task.sleep(for: Self.restForErasure)
                    }
                } catch {
                    if Task.isShuttingDownGracefully { return }
                    noteFailure(run, error)
                    finding = turns.failed(run, isTimeout: isTimeout(error))
                    if run.apps == .together { try? await Task.sleep(for: .seconds(1)) }
                }
                switch finding {
                case .nothing: break
                case .isLong: turns.suspect(await waitingApps())
                case .isApart(let app): await mergeApart(app)
                }
            }
        }
    }

    /// An erasure looks whether the lock of merges is free ten times a second.
    private static let restForErasure: Duration = .milliseconds(150)

    /// Whether an erasure needs the lock of merges, which it would hardly find free between runs that follow each other.
    private func isErasureWaiting() async -> Bool {
        let rows = try? await inTime {
            try await self.pool.withConnection { try await $0.query(SQLFiles.checkWaitingErasure.text, prepared: true) }
        }
        return (try? rows?.first?.decode(Bool.self, column: 0)) ?? false
    }

    func noteFailure(_ run: MergeTurns.Run, _ error: any Error) {
        metrics.runs.add(1, .failed)
        var metadata: Logger.Metadata = ["error": "\(error)"]
        if case .one(let app) = run.apps { metadata["app"] = "\(app.name)" }
        logger.warning("rollup failed; reports lag until it succeeds", metadata: metadata)
    }

    private func rest(after run: Duration) -> Duration {
        min(max(configuration.pace, run * 10), configuration.longestPace)
    }

    /// Rolls up, but stops waiting at shutdown, so that a hanging database can't prevent it. The abandoned transaction
    /// rolls back or commits.
    func rollUpUnlessStopped(
        _ run: MergeTurns.Run, givingWay yieldsPriority: Bool
    ) async throws -> MergeCost.Outcome {
        try await cancelWhenGracefulShutdown {
            // PostgreSQL ends a statement after this time, if it answers at all.
            try await withTimeout(run.timeout + .seconds(2)) {
                try await self.rollUp(run, givingWay: yieldsPriority)
            }
        }
    }

    /// Merges batches, for commands: once those of the apps that are merged together, and once those of each app that is
    /// merged apart. If those of such an app can't be merged, the others are, and it is logged.
    ///
    /// - Parameter app: The app for which this fails in that case.
    /// - Returns: The number of merged events, which is also 0 if another worker is running.
    @discardableResult
    package func rollUp(failingFor app: Int32? = nil) async throws -> Int {
        var events = 0
        let apps = try await appsApart().map { MergeTurns.Apps.one($0) }
        for apps in [.together] + apps {
            let run = MergeTurns.Run(
                apps: apps, limit: configuration.eventsPerRun, timeout: MergeCost.longestTimeout)
            do {
                events += try await rollUp(run).events
            } catch let error as PostgresError where apps.isOne(except: app) && !error.isConnectionLoss {
                noteFailure(run, error)
            }
        }
        return events
    }

    /// Merges batches, in one transaction, or one for each connection.
    ///
    /// - Parameter yieldsPriority: Whether the run has low priority.
    /// - Returns: What it did. The number of merged events is also 0 if another worker is running.
    private func rollUp(
        _ run: MergeTurns.Run, givingWay yieldsPriority: Bool = false
    ) async throws -> MergeCost.Outcome {
        let start = ContinuousClock.now
        let (merged, reads) =
            switch run.batches {
            case .all: try await merge(run, slices: nil, givingWay: yieldsPriority)
            case .ofSeveralSlices: try await merge(run, slices: [], givingWay: yieldsPriority)
            case .ofOneSlice: try await mergeSideBySide(run, givingWay: yieldsPriority)
            }
        let duration = start.duration(to: .now)
        metrics.runs.add(1, merged > 0 ? .merged : .idle)
        metrics.events.add(merged)
        if merged > 0 { metrics.durations.observe(duration) }
        return MergeCost.Outcome(events: merged, reads: reads, duration: duration)
    }

    private func mergeSideBySide(
        _ run: MergeTurns.Run, givingWay yieldsPriority: Bool
    ) async throws -> (events: Int, reads: Int) {
        let connections = configuration.connections
        return try await withThrowingTaskGroup { group in
            for number in 0..<connections {
                let slices = (0..<DeliveryIdentity.slices).filter { $0 % connections == number }.map(Int32.init)
                group.addTask { try await merge(run, slices: slices, givingWay: yieldsPriority) }
            }
            return try await group.reduce((0, 0)) { ($0.0 + $1.events, $0.1 + $1.reads) }
        }
    }

    /// Runs one transaction; see the function `roll_up`.
    ///
    /// - Returns: The number of merged events, and how many rows and index entries it read.
    private func merge(
        _ run: MergeTurns.Run, slices: [Int32]?, givingWay yieldsPriority: Bool
    ) async throws -> (events: Int, reads: Int) {
        let app: Int32? = if case .one(let app) = run.apps { app.id } else { nil }
        let parameters: [Parameter] = [
            .int4(Int32(run.limit)), .int4(app), slices.map { .int4Array($0) } ?? .unknown(nil),
        ]
        return try await pool.withConnection { connection in
            setPriority(await connection.backendPID, yieldsPriority)
            return try await connection.transaction { connection in
                // The worker doesn't wait for longer, and other merges wait for the locks.
                try connection.limitStatements(to: run.timeout)
                let readBefore = try Self.reads(connection)
                let rows = try connection.query(SQLFiles.callRollUp.text, parameters, prepared: true)
                let events = Int(try rows.first?.decode(Int32?.self, column: 0) ?? 0)
                return (events, try Self.reads(connection) - readBefore)
            }
        }
    }

    /// The rows and index entries that the session has read since PostgreSQL last reported its counts, which it does only
    /// between transactions.
    private static func reads(_ connection: isolated Connection) throws -> Int {
        let rows = try connection.query(SQLFiles.countReads.text, prepared: true)
        return Int(try rows.first?.decode(Int64.self, column: 0) ?? 0)
    }

    private func isTimeout(_ error: any Error) -> Bool {
        if let error = error as? PostgresError { return error.isCancelled || error.isLockTimeout }
        return error is TimeoutError
    }
}

/// The metrics of the rollup worker.
package struct RollupMetrics: Sendable {
    package enum Run: String, Label {
        case merged
        /// No batch was waiting, or another worker was running.
        case idle
        case failed

        package static let labelName = "outcome"
    }

    package let runs = Counter<Run>("afterpush_rollup_runs_total", "Runs of the rollup worker, by outcome.")
    package let events = Counter<NoLabels>("afterpush_rollup_events_total", "Events merged into the rollups.")
    package let durations = Histogram<NoLabels>(
        "afterpush_rollup_run_seconds", "Duration of a run that merged events.", bounds: .latencies + [20, 60])

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [runs, events, durations]
        return metrics.map(\.family)
    }
}
