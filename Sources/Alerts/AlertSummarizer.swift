import AfterpushWire
import Logging
import Reports
import Timing

/// Makes the summaries that are due, one after the other.
struct AlertSummarizer {
    let store: AlertStore
    let reports: ReportService
    let logger: Logger
    private var turns = SummaryTurns()

    init(store: AlertStore, reports: ReportService, logger: Logger) {
        self.store = store
        self.reports = reports
        self.logger = logger
    }

    /// Puts the summary that is due into the outbox, and returns whether there was one.
    ///
    /// Whatever goes wrong with the summary of an app, those of others are next.
    mutating func makeNext() async throws -> Bool {
        guard let due = try await store.dueSummary(excluding: turns.excluded(at: .now)) else { return false }
        do {
            let message = try await withTimeout(turns.limit(of: due.app)) { [reports] in
                try await Self.message(due, reports)
            }
            try await store.finish(due, message)
        } catch {
            if Task.isCancelled { throw error }
            switch turns.noteFailure(of: due.app, at: .now) {
            case .retry:
                logger.warning(
                    "could not make a summary; it will be retried",
                    metadata: ["app": "\(due.app)", "error": "\(error)"])
                return true
            case .giveUp:
                logger.warning("could not make a summary", metadata: ["app": "\(due.app)", "error": "\(error)"])
                try await store.finish(due, nil)
            }
        }
        turns.end(due.app)
        return true
    }

    /// Returns what makes the summary of the alerts that fire.
    private static func message(
        _ due: AlertStore.DueSummary, _ reports: ReportService
    ) async throws -> @Sendable (AlertStore.Firing) -> AlertMessage {
        let (from, to) = AlertSummary.period(due.summary, endingAt: Timestamp(microseconds: due.dueAt))
        let definition = try reports.catalogue.report(named: "overview")
        let parameters = try ReportParameters(
            validating: ["from": from.description, "to": to.description], for: definition)
        let overview = try await reports.run(definition, parameters, app: due.app, name: due.appName)
        return { firing in
            AlertSummary(
                app: due.appName, from: from, to: to, overview: overview, firing: firing.shown,
                firingCount: firing.count
            ).message
        }
    }
}

/// Decides whose summary is made, and how long it may take, without a clock or a database.
///
/// A summary that fails or takes too long is put off, while those of other apps are made. After some attempts it is left
/// out.
struct SummaryTurns {
    /// What follows from an attempt that failed.
    enum AfterFailure {
        /// The summary is put off.
        case retry
        /// The summary is left out.
        case giveUp
    }

    /// How many attempts a summary gets.
    static let attempts = 3
    /// How long an app has no turn after an attempt that failed.
    static let pause: Duration = .seconds(60)

    private var failures: [Int32: (count: Int, end: ContinuousClock.Instant)] = [:]

    /// Returns the apps that have no turn now.
    func excluded(at now: ContinuousClock.Instant) -> [Int32] {
        failures.filter { now < $0.value.end }.map(\.key)
    }

    /// Returns how long the summary of an app may take: the first time as long as a quick evaluation.
    func limit(of app: Int32) -> Duration {
        failures[app] == nil ? EvaluationTurns.quickLimit : EvaluationTurns.slowLimit
    }

    /// Notes that an attempt failed, puts the app off, and returns whether its summary is tried again.
    mutating func noteFailure(of app: Int32, at now: ContinuousClock.Instant) -> AfterFailure {
        let count = (failures[app]?.count ?? 0) + 1
        failures[app] = (count, now + Self.pause)
        return count < Self.attempts ? .retry : .giveUp
    }

    /// Notes that the summary of an app was made or left out.
    mutating func end(_ app: Int32) {
        failures[app] = nil
    }
}
