import AfterpushWire

/// What a device reports that belongs to no notification.
struct DeviceLife {
    private(set) var reports: [SimulatedEvent] = []

    init(from start: Timestamp, until end: Timestamp, dice: RandomSource) {
        var dice = dice
        let seconds = Double(end.microseconds - start.microseconds) / 1_000_000
        guard seconds > 0 else { return }
        func moment() -> Timestamp { start.advanced(by: dice.number(in: 0..<seconds)) }
        for _ in 0..<Int.random(in: 0...5, using: &dice) {
            reports.append(SimulatedEvent(.appOpened, moment(), appState: "active"))
        }
        if dice.happens(0.3) { reports.append(SimulatedEvent(.tokenRegistered, moment(), appState: "active")) }
        if dice.happens(0.05) { reports.append(SimulatedEvent(.permissionGranted, moment(), appState: "active")) }
        // Near the end, because nothing else in the device's life heeds it.
        if dice.happens(0.01) {
            let lateness = dice.number(in: 0..<min(seconds, 3_600))
            reports.append(SimulatedEvent(.permissionRevoked, end.advanced(by: -lateness), appState: "background"))
        }
    }
}
