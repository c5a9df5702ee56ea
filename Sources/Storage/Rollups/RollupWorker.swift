import Instruments
package import Logging
package import Postgres
import SQLFiles
import ServiceLifecycle
import Timing

/// Merges committed batches into deliveries and rollups, for as long as the program runs.
///
/// Any number of workers can run against one database: the one that holds the worker row works, the others wait.
package struct RollupWorker: Service {
    /// | property | meaning |
    /// | --- | --- |
    /// | `eventsPerRun` | approximate number of events merged in one transaction |
    /// | `pace` | between runs, and longer after a long one, up to `longestPace`: a run takes from requests, and costs much the same for one event as for a hundred. No rest is taken while so much waits that a run is full |
    /// | `smallRun` | a run after one of fewer events than these gives way to requests; after a larger or a full one it has to keep up with them |
    /// | `pause` | time between checks while no batch is waiting and no commit was announced |
    package struct Configuration: Sendable {
        package var eventsPerRun = 50_000
        package var pace: Duration = .milliseconds(250)
        package var longestPace: Duration = .seconds(1)
        package var smallRun = 10_000
        package var pause: Duration = .milliseconds(500)

        package init() {}
    }

    private let pool: ConnectionPool
    private let configuration: Configuration
    private let metrics: RollupMetrics
    private let logger: Logger
    private let giveWay: @Sendable (_ backendPID: Int32, _ doesGiveWay: Bool) -> Void
    private let calls: AsyncStream<Void>
    private let caller: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - pool: of the role that writes deliveries and rollups.
    ///   - giveWay: called before a run with the server process that it takes place in, and whether that should leave the
    ///     processor to others.
    package init(
        pool: ConnectionPool, configuration: Configuration = Configuration(), metrics: RollupMetrics = RollupMetrics(),
        logger: Logger, giveWay: @escaping @Sendable (_ backendPID: Int32, _ doesGiveWay: Bool) -> Void = { _, _ in }
    ) {
        self.pool = pool
        self.configuration = configuration
        self.metrics = metrics
        self.logger = logger
        self.giveWay = giveWay
        (calls, caller) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Says that something was stored.
    package func call() {
        caller.yield()
    }

    package func run() async throws {
        let ticker = caller
        let pause = configuration.pause
        await withTaskGroup { group in
            // Ends when the worker does: what another collector stored is found without a call.
            group.addTask {
                while (try? await Task.sleep(for: pause)) != nil { ticker.yield() }
            }
            group.addTask { await self.work() }
            await group.next()
            group.cancelAll()
        }
    }

    private func work() async {
        var plan = MergePlan(most: configuration.eventsPerRun)
        for await _ in calls.cancelOnGracefulShutdown() {
            do {
                var start = ContinuousClock.now
                var events = try await rollUpUnlessStopped(plan.limit, givingWay: true)
                while events > 0 {
                    if Task.isCancelled || Task.isShuttingDownGracefully { return }
                    if events < plan.limit { try await Task.sleep(for: rest(after: start.duration(to: .now))) }
                    let yieldsPriority = events < min(configuration.smallRun, plan.limit)
                    plan.succeeded()
                    start = .now
                    events = try await rollUpUnlessStopped(plan.limit, givingWay: yieldsPriority)
                }
            } catch {
                if Task.isShuttingDownGracefully { return }
                plan.failed()
                metrics.runs.add(1, .failed)
                logger.warning("rollup failed; reports lag until it succeeds", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func rest(after run: Duration) -> Duration {
        min(max(configuration.pace, run * 10), configuration.longestPace)
    }

    /// A database that hangs must not keep the program from stopping: what is cut off rolls back, or is committed unheard.
    private func rollUpUnlessStopped(_ limit: Int, givingWay yieldsPriority: Bool) async throws -> Int {
        try await cancelWhenGracefulShutdown {
            try await withTimeout(.seconds(90)) { try await self.rollUp(limit, givingWay: yieldsPriority) }
        }
    }

    /// One transaction of the worker.
    ///
    /// - Parameters:
    ///   - limit: approximate number of events to merge; nil for the size of a normal run.
    ///   - yieldsPriority: whether the processor is left to others first.
    /// - Returns: the number of events that it merged; 0 also when another worker is at it.
    @discardableResult
    package func rollUp(_ limit: Int? = nil, givingWay yieldsPriority: Bool = false) async throws -> Int {
        let limit = Int32(limit ?? configuration.eventsPerRun)
        let start = ContinuousClock.now
        let merged = try await pool.withConnection { connection in
            giveWay(await connection.backendPID, yieldsPriority)
            let rows = try await connection.query(SQLFiles.callRollUp.text, [.int4(limit)], prepared: true)
            return Int(try rows.first?.decode(Int32?.self, column: 0) ?? 0)
        }
        metrics.runs.add(1, merged > 0 ? .merged : .idle)
        metrics.events.add(merged)
        if merged > 0 { metrics.durations.observe(start.duration(to: .now)) }
        return merged
    }
}
