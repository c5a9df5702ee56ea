import AfterpushWire
import Backoff
import Foundation
package import Instruments
package import Logging
package import Reports
import ServiceLifecycle
import Timing

/// Evaluates rules and delivers messages, for as long as the program runs.
///
/// Any number of collectors can run with one database: each claims a rule or a message before it works on it. A claim ends
/// by itself, so the work of a collector that was killed is done by another one, or by the next.
package struct AlertWorker: Service {
    private let store: AlertStore
    private let evaluator: AlertEvaluator
    private let reports: ReportService
    private let sender: AlertSender
    private let metrics: AlertMetrics
    private let logger: Logger

    /// How long an evaluation may take, and how long its claim lasts.
    private static let evaluationLimit: Duration = .seconds(35)
    private static let evaluationClaim: Duration = .seconds(40)
    /// How long the claim of a message lasts, which is longer than an attempt takes.
    private static let messageClaim: Duration = .seconds(20)
    /// The number of messages that are delivered at the same time.
    private static let lanes = 4
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
                group.addTask { await self.evaluate() }
                group.addTask { await self.deliver() }
            }
        }
        try? await gracefulShutdown()
        work.cancel()
    }

    private func evaluate() async {
        var installedAt: ContinuousClock.Instant?
        var cleanedAt: ContinuousClock.Instant?
        await loop("could not evaluate alerts; it will be retried") {
            let now = ContinuousClock.now
            if installedAt.map({ now - $0 > .seconds(60) }) ?? true {
                try await store.install()
                installedAt = now
            }
            if cleanedAt.map({ now - $0 > .seconds(3_600) }) ?? true {
                try await store.deleteOld()
                cleanedAt = now
            }
            let evaluated = try await evaluateNext()
            let summarized = try await summarizeNext()
            return evaluated || summarized
        }
    }

    /// Evaluates the rule that is due, and returns whether there was one.
    private func evaluateNext() async throws -> Bool {
        guard let claim = try await store.claim(for: Self.evaluationClaim) else { return false }
        let evaluation: AlertEvaluation
        do {
            evaluation = try await withTimeout(Self.evaluationLimit) { [evaluator] in
                try await evaluator.evaluate(claim.rule, app: claim.app, appName: claim.appName, at: claim.now)
            }
        } catch {
            if Task.isCancelled { throw error }
            metrics.evaluations.add(1, .failed)
            logger.warning(
                "could not evaluate an alert", metadata: ["alert": "\(claim.rule.name)", "error": "\(error)"])
            try await store.finish(claim, problem: String(describing: error))
            return true
        }
        let changes = try await store.finish(claim, evaluation)
        metrics.evaluations.add(1, .done)
        for change in changes {
            metrics.changes.add(1, AlertMetrics.Phase(change.to))
            logger.notice(
                "an alert changed its state",
                metadata: ["app": "\(claim.app)", "alert": "\(claim.rule.name)", "state": "\(change.to.rawValue)"])
        }
        return true
    }

    /// Puts the summary that is due into the outbox, and returns whether there was one.
    private func summarizeNext() async throws -> Bool {
        guard let due = try await store.dueSummary() else { return false }
        let (from, to) = AlertSummary.period(due.summary, endingAt: Timestamp(microseconds: due.dueAt))
        var message: AlertMessage?
        do {
            let definition = try reports.catalogue.report(named: "overview")
            let parameters = try ReportParameters(
                validating: ["from": from.description, "to": to.description], for: definition)
            let overview = try await reports.run(definition, parameters, app: due.app, name: due.appName)
            message =
                AlertSummary(
                    app: due.appName, from: from, to: to, overview: overview,
                    firing: try await store.firing(app: due.app)
                ).message
        } catch let error as ReportError {
            logger.warning("could not make a summary", metadata: ["error": "\(error)"])
        }
        try await store.finish(due, message)
        return true
    }

    private func deliver() async {
        await loop("could not deliver alerts; it will be retried") {
            var attempts: [AlertStore.Attempt] = []
            while attempts.count < Self.lanes, let next = try await store.claimMessage(for: Self.messageClaim) {
                attempts.append(next)
            }
            try await withThrowingTaskGroup { group in
                for attempt in attempts { group.addTask { try await self.deliver(attempt) } }
                try await group.waitForAll()
            }
            return !attempts.isEmpty
        }
    }

    private func deliver(_ attempt: AlertStore.Attempt) async throws {
        let sender = sender
        // At shutdown, this stops waiting; the message is sent again once its claim has ended.
        let result = try await withTimeout(.seconds(15)) {
            await sender.send(attempt.message, to: attempt.destination)
        }
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

    /// Repeats an operation until the task is cancelled: at once if it had something to do, else after a pause.
    private func loop(_ failure: Logger.Message, _ body: () async throws -> Bool) async {
        let backoff = ExponentialBackoff(first: 2, limit: 60, jitter: 0.2)
        var failures = 0
        while !Task.isCancelled {
            do {
                let worked = try await body()
                failures = 0
                if !worked { try await Task.sleep(for: Self.pause) }
            } catch {
                if Task.isCancelled { return }
                failures += 1
                logger.warning(failure, metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .pause(backoff, after: failures, random: .random(in: 0...1)))
            }
        }
    }
}

/// The metrics of alerts.
package struct AlertMetrics: Sendable {
    enum Evaluation: String, Label {
        case done, failed
        static let labelName = "outcome"
    }

    enum Phase: String, Label {
        case ok, pending, firing
        static let labelName = "state"

        init(_ phase: AlertState.Phase) {
            switch phase {
            case .ok: self = .ok
            case .pending: self = .pending
            case .firing: self = .firing
            }
        }
    }

    enum Delivery: String, Label {
        case delivered, failed
        case gaveUp = "gave_up"
        case destinationDisabled = "destination_disabled"
        static let labelName = "outcome"

        init(_ outcome: AttemptEnd.Outcome?) {
            switch outcome {
            case .delivered: self = .delivered
            case .gaveUp: self = .gaveUp
            case .destinationDisabled: self = .destinationDisabled
            case nil: self = .failed
            }
        }
    }

    let evaluations = Counter<Evaluation>(
        "afterpush_alert_evaluations_total", "Evaluations of alert rules, by outcome.")
    let changes = Counter<Phase>("afterpush_alert_changes_total", "Changes of alerts' states, by the new state.")
    let deliveries = Counter<Delivery>(
        "afterpush_alert_deliveries_total", "Attempts to deliver messages of alerts, by outcome.")

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [evaluations, changes, deliveries]
        return metrics.map(\.family)
    }
}
