import AfterpushWire

/// A person's device of the fleet.
struct SimulatedDevice {
    let id: String
    let platform: Platform
    let appVersion: String
    let osVersion: String
    let locale: String
    let utcOffsetMinutes: Int32
    /// Seconds that its clock is ahead of the true time.
    let clockSkew: Double
    /// Whether it posts what it kept only after the others.
    let isOftenOffline: Bool

    private static let homes: [(locale: String, utcOffsetMinutes: Int32)] = [
        ("en-US", -300), ("en-US", -480), ("en-GB", 0), ("de-DE", 60), ("es-ES", 60), ("hi-IN", 330),
    ]

    init(number: Int, dice: inout Dice) {
        id = "device-\(number)"
        platform = dice.pick([(Platform.iOS, 0.62), (.android, 0.30), (.web, 0.08)], by: \.1)?.0 ?? .iOS
        appVersion = dice.pick(["2.3.1", "2.4.0", "2.4.0", "2.5.2", "2.5.2", "2.5.2"]) ?? "2.5.2"
        osVersion =
            switch platform {
            case .iOS: dice.pick(["17.7", "18.6", "26.1", "26.1"]) ?? "26.1"
            case .android: dice.pick(["13", "14", "15", "16"]) ?? "15"
            default: dice.pick(["Chrome 142", "Edge 142", "Firefox 145"]) ?? "Chrome 142"
            }
        let home = dice.pick(Self.homes) ?? ("en-GB", 0)
        locale = home.locale
        utcOffsetMinutes = home.utcOffsetMinutes
        // Most clocks are set by the network; those that aren't are off by more than the collector overlooks.
        let isOff = dice.happens(0.03)
        let skew = isOff ? dice.number(in: 120..<900) : dice.number(in: 0..<1)
        clockSkew = dice.happens(0.5) ? skew : -skew
        isOftenOffline = dice.happens(0.08)
    }

    /// Whether it has a service extension (since 2.4 of the app), or a push handler, which all others have.
    var canConfirm: Bool { platform != .iOS || appVersion != "2.3.1" }
}
