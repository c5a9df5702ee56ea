import AfterpushWire
import Foundation

/// Something that becomes an event: what, and when by the true time.
struct SimulatedEvent: Sendable {
    let kind: EventKind
    let time: Timestamp
    var action: String?
    var text: String?
    var surface: String?
    var appState: String?
    var reason: String?
    var conversion: PlannedConversion?
    var value: Decimal?

    init(_ kind: EventKind, _ time: Timestamp, surface: String? = nil, appState: String? = nil) {
        self.kind = kind
        self.time = time
        self.surface = surface
        self.appState = appState
    }

    var isResponse: Bool { [.opened, .action, .textInput, .dismissed].contains(kind) }
}
