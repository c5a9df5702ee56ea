import Foundation

/// Decides which apps' rules are evaluated, and for how long, without a clock or a database.
///
/// An app has one evaluation at a time, and the app whose evaluations took the least time lately comes first. An app with
/// an evaluation over `quickLimit` counts as slow for a while. Slow apps share `slowLanes`, so the last lane is always
/// free for the others within `quickLimit`.
struct EvaluationTurns {
    /// The number of rules that are evaluated at the same time.
    static let lanes = 3
    static let slowLanes = 2
    /// How long an evaluation of an app may take that doesn't count as slow.
    static let quickLimit: Duration = .seconds(5)
    /// How long an evaluation of a slow app may take.
    static let slowLimit: Duration = .seconds(35)
    /// How long an app counts as slow after its last slow evaluation.
    static let slowPeriod: Duration = .seconds(600)
    /// The time after which a spent second counts half.
    private static let halfLife = 60.0

    private struct App {
        var spent = 0.0
        var spentAt: ContinuousClock.Instant
        var slowUntil: ContinuousClock.Instant?
        var startedAt: ContinuousClock.Instant?
        var runsAsSlow = false

        func isSlow(at now: ContinuousClock.Instant) -> Bool { slowUntil.map { now < $0 } ?? false }

        func spent(at now: ContinuousClock.Instant) -> Double {
            spent * exp2(-((now - spentAt) / .seconds(1)) / EvaluationTurns.halfLife)
        }
    }

    private var apps: [Int32: App] = [:]

    var hasFreeLane: Bool { apps.values.count { $0.startedAt != nil } < Self.lanes }

    /// Returns the apps that have no turn now.
    func excluded(at now: ContinuousClock.Instant) -> [Int32] {
        let slow = apps.values.count { $0.startedAt != nil && $0.runsAsSlow }
        return apps.filter { $0.value.startedAt != nil || slow >= Self.slowLanes && $0.value.isSlow(at: now) }
            .map(\.key)
    }

    /// Returns the milliseconds that each app has spent lately.
    func spent(at now: ContinuousClock.Instant) -> [Int32: Int64] {
        apps.mapValues { Int64($0.spent(at: now) * 1_000) }.filter { $0.value > 0 }
    }

    /// Notes that an evaluation begins, and returns how long it may take.
    mutating func begin(_ app: Int32, at now: ContinuousClock.Instant) -> Duration {
        var state = apps[app] ?? App(spentAt: now)
        state.startedAt = now
        state.runsAsSlow = state.isSlow(at: now)
        apps[app] = state
        return state.runsAsSlow ? Self.slowLimit : Self.quickLimit
    }

    /// Notes that the evaluation of an app has ended.
    mutating func end(_ app: Int32, at now: ContinuousClock.Instant) {
        guard var state = apps[app], let start = state.startedAt else { return }
        state.spent = state.spent(at: now) + (now - start) / .seconds(1)
        state.spentAt = now
        state.startedAt = nil
        if now - start >= Self.quickLimit { state.slowUntil = now + Self.slowPeriod }
        apps[app] = state
        // What is forgotten makes no difference to the next turn.
        apps = apps.filter { $0.value.startedAt != nil || $0.value.isSlow(at: now) || $0.value.spent(at: now) > 0.001 }
    }
}
