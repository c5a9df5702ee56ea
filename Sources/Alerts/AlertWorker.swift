import AfterpushWire
import Backoff
import Foundation
import Instruments
package import Logging
import Postgres
package import Reports
import ServiceLifecycle
import Timing

/// Evaluates rules and delivers messages, for as long as the program runs.
///
/// Any number of collectors can run with one database: each claims a rule or a message before it works on it. A claim
/// ends by itself, so the work of a collector that was killed is done by another one, or by the next.
package struct AlertWorker: Service {
    private let store: AlertStore
    private let evaluator: AlertEvaluator
    private let reports: ReportService
    private let sender: AlertSender
    private let metrics: AlertMetrics
    private let logger: Logger

    /// How long the claim of a rule lasts, which is longer than an evaluation takes.
    private static let evaluationClaim: Duration = .seconds(40)
    /// How late an evaluation may begin without a warning.
    private static let lateness: Duration = .seconds(60)
    /// How long the claim of a message lasts, which is longer than an attempt takes.
    private static let messageClaim: Duration = .seconds(20)
    /// How long the worker waits for an attempt, so that its end is recorded before the claim ends.
    private static let attemptLimit: Duration = .seconds(15)
    private static let pause: Duration = .seconds(1)

    package init(
        store: AlertStore, reports: ReportService, sender: AlertSender, metrics: AlertMetrics = AlertMetrics(),
        logger: Logger
    ) {
        self.store = store
        self.reports = reports
        self.sender = sender
        self.metrics = metrics
        self.logger = logger
        evaluator = AlertEvaluator(reports: reports)
    }

    package func run() async throws {
        // Stopping waits for no query and no message, which may hang: their claims end by themselves, as after a kill.
        let work = Task {
            await withTaskGroup { group in
                group.addTask { await self.maintain() }
                group.addTask { await self.evaluate() }
                group.addTask { await self.summarize() }
                group.addTask { await self.deliver() }
            }
        }
        try? await gracefulShutdown()
        work.cancel()
    }

    /// Installs the built-in rules for new apps, and deletes what is kept no longer.
    private func maintain() async {
        var cleanedAt: ContinuousClock.Instant?
        await loop("could not evaluate alerts; it will be retried", pause: .seconds(60)) {
            try await store.install()
            let now = ContinuousClock.now
            if cleanedAt.map({ now - $0 > .seconds(3_600) }) ?? true {
                try await store.deleteOld(at: Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
                cleanedAt = now
            }
            return false
        }
    }

    /// Evaluates rules that are due, some at the same time, while apps take turns.
    private func evaluate() async {
        var turns = EvaluationTurns()
        var warnedAt: [Int32: ContinuousClock.Instant] = [:]
        await work("could not evaluate alerts; it will be retried") {
            guard turns.hasFreeLane else { return nil }
            let now = ContinuousClock.now
            let claim = try await store.claim(
                for: Self.evaluationClaim, excluding: turns.excluded(at: now), spent: turns.spent(at: now))
            guard let claim else { return nil }
            if claim.delay > Self.lateness { warnOfDelay(claim, &warnedAt) }
            let limit = turns.begin(claim.app, at: .now)
            return (claim.app, { try await self.evaluate(claim, within: limit) })
        } onEnd: { app in
            turns.end(app, at: .now)
        }
    }

    /// Counts an evaluation that begins late, and logs it once in ten minutes for an app.
    private func warnOfDelay(_ claim: AlertStore.Claim, _ warnedAt: inout [Int32: ContinuousClock.Instant]) {
        metrics.late.add()
        let now = ContinuousClock.now
        warnedAt = warnedAt.filter { now - $0.value < .seconds(600) }
        guard warnedAt[claim.app] == nil else { return }
        warnedAt[claim.app] = now
        logger.warning(
            "alerts are evaluated late",
            metadata: [
                "app": "\(claim.app)", "alert": "\(claim.rule.name)", "seconds": "\(claim.delay.components.seconds)",
            ])
    }

    /// Evaluates a rule and stores what changes, both together within a limit.
    private func evaluate(_ claim: AlertStore.Claim, within limit: Duration) async throws {
        let start = ContinuousClock.now
        var evaluation: AlertEvaluation?
        let finish: AlertStore.Finish
        do {
            let found = try await withTimeout(limit) { [evaluator] in
                try await evaluator.evaluate(claim.rule, app: claim.app, appName: claim.appName, at: claim.now)
            }
            evaluation = found
            finish = try await withTimeout(limit - (.now - start)) { [store] in try await store.finish(claim, found) }
        } catch {
            if Task.isCancelled { throw error }
            if error is TimeoutError, limit < EvaluationTurns.slowLimit {
                // The next turn comes with the slow apps, and with more time.
                metrics.evaluations.add(1, .postponed)
                try await store.release(claim)
                return
            }
            metrics.evaluations.add(1, .failed)
            // What was found could not be stored now. The rule is evaluated again once the claim has ended.
            if evaluation != nil, (error as? PostgresError)?.isRetryable == true { throw error }
            logger.warning(
                "could not evaluate an alert", metadata: ["alert": "\(claim.rule.name)", "error": "\(error)"])
            try await store.finish(claim, problem: String(describing: error))
            return
        }
        metrics.evaluations.add(1, .done)
        report(finish, of: claim)
    }

    private func report(_ finish: AlertStore.Finish, of claim: AlertStore.Claim) {
        for change in finish.changes {
            metrics.changes.add(1, AlertMetrics.Phase(change.to))
            logger.notice(
                "an alert changed its state",
                metadata: ["app": "\(claim.app)", "alert": "\(claim.rule.name)", "state": "\(change.to.rawValue)"])
        }
        if finish.refused > 0 {
            metrics.deliveries.add(finish.refused, .noRoom)
            logger.error(
                "too many messages of an app wait to be delivered; new ones are dropped",
                metadata: ["app": "\(claim.app)", "alert": "\(claim.rule.name)", "messages": "\(finish.refused)"])
        }
    }

    private func summarize() async {
        var summarizer = AlertSummarizer(store: store, reports: reports, logger: logger)
        await loop("could not make summaries; it will be retried") { try await summarizer.makeNext() }
    }

    /// Delivers messages that are due, some at the same time, while apps take turns.
    private func deliver() async {
        var lanes = DeliveryLanes()
        await work("could not deliver alerts; it will be retried") {
            guard lanes.hasFreeLane else { return nil }
            let attempt = try await store.claimMessage(
                for: Self.messageClaim, excluding: lanes.excluded, turns: lanes.turns)
            guard let attempt else { return nil }
            lanes.begin(attempt.app)
            return (attempt.app, { try await self.deliver(attempt) })
        } onEnd: { app in
            lanes.end(app)
        }
    }

    private func deliver(_ attempt: AlertStore.Attempt) async throws {
        // At shutdown, this stops waiting; the message is sent again once its claim has ended.
        let result = try await sender.send(attempt.message, to: attempt.destination, within: Self.attemptLimit)
        let end = AttemptEnd(result, attempts: attempt.count, age: attempt.age, random: .random(in: 0...1))
        metrics.deliveries.add(1, AlertMetrics.Delivery(end.outcome))
        if let problem = end.problem {
            logger.warning(
                "could not deliver an alert",
                metadata: [
                    "id": "\(attempt.message.id.uuidString.lowercased())",
                    "to": "\(attempt.destination.redacted)", "problem": "\(problem)", "attempt": "\(attempt.count)",
                ])
        }
        try await store.finish(attempt, end)
    }

    /// Starts pieces of work until the task is cancelled. None waits for another one: whenever one ends, and every
    /// second, it takes what can be started.
    ///
    /// - Parameters:
    ///   - next: Claims the next piece, and returns its app and what to do, or nil if there is nothing to start.
    ///   - onEnd: Called when a piece of an app's work has ended.
    private func work(
        _ failure: Logger.Message,
        _ next: () async throws -> (app: Int32, body: @Sendable () async throws -> Void)?,
        onEnd: (Int32) -> Void
    ) async {
        let backoff = ExponentialBackoff(first: 2, limit: 60, jitter: 0.2)
        var failures = 0
        // A piece of work ends with its app, and a pause with nil.
        await withTaskGroup(of: (app: Int32?, error: (any Error)?).self) { group in
            var isPausing = false
            while !Task.isCancelled {
                do {
                    while !isPausing || failures == 0, let (app, body) = try await next() {
                        group.addTask {
                            do { try await body() } catch { return (app, error) }
                            return (app, nil)
                        }
                    }
                    if !isPausing { failures = 0 }
                } catch {
                    if Task.isCancelled { break }
                    failures += 1
                    logger.warning(failure, metadata: ["error": "\(error)"])
                }
                if !isPausing {
                    isPausing = true
                    let pause =
                        failures == 0
                        ? Self.pause : Duration.pause(backoff, after: failures, random: .random(in: 0...1))
                    group.addTask {
                        try? await Task.sleep(for: pause)
                        return (nil, nil)
                    }
                }
                guard let ended = await group.next() else { break }
                guard let app = ended.app else {
                    isPausing = false
                    continue
                }
                onEnd(app)
                if let error = ended.error, !Task.isCancelled {
                    logger.warning(failure, metadata: ["error": "\(error)"])
                }
            }
            group.cancelAll()
        }
    }

    /// Repeats an operation until the task is cancelled: at once if it had something to do, else after a pause.
    private func loop(
        _ failure: Logger.Message, pause: Duration = Self.pause, _ body: () async throws -> Bool
    ) async {
        let backoff = ExponentialBackoff(first: 2, limit: 60, jitter: 0.2)
        var failures = 0
        while !Task.isCancelled {
            do {
                let worked = try await body()
                failures = 0
                if !worked { try await Task.sleep(for: pause) }
            } catch {
                if Task.isCancelled { return }
                failures += 1
                logger.warning(failure, metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .pause(backoff, after: failures, random: .random(in: 0...1)))
            }
        }
    }
}
