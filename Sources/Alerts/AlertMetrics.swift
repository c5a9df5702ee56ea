package import Instruments

/// The metrics of alerts.
package struct AlertMetrics: Sendable {
    enum Evaluation: String, Label {
        case done, failed, postponed
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
        case noRoom = "no_room"
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
    let late = Counter<NoLabels>(
        "afterpush_alert_evaluations_late_total", "Evaluations of alert rules that began more than a minute late.")
    let changes = Counter<Phase>("afterpush_alert_changes_total", "Changes of alerts' states, by the new state.")
    let deliveries = Counter<Delivery>(
        "afterpush_alert_deliveries_total",
        "Attempts to deliver messages of alerts, and messages that had no room, by outcome.")

    package init() {}

    package var families: [MetricFamily] {
        let metrics: [any Metric] = [evaluations, late, changes, deliveries]
        return metrics.map(\.family)
    }
}
