import AfterpushWire

/// A device of the fleet.
struct SimulatedDevice {
    let id: String
    let platform: Platform
    let appVersion: String
    let osVersion: String
    let locale: String
    let utcOffsetMinutes: Int32
    /// Without a service extension, or a push handler, a delivery is never confirmed.
    let confirmsDelivery: Bool

    init(number: Int, dice: inout Dice) {
        id = "device-\(number)"
        platform = dice.happens(0.62) ? .iOS : dice.happens(0.8) ? .android : .web
        // The service extension came with 2.4.
        appVersion = dice.pick(["2.3.1", "2.4.0", "2.4.0", "2.5.2", "2.5.2", "2.5.2"]) ?? "2.5.2"
        osVersion =
            switch platform {
            case .iOS: dice.pick(["17.6", "18.1", "18.1"]) ?? "18.1"
            case .android: dice.pick(["13", "14", "15"]) ?? "14"
            default: dice.pick(["Chrome 130", "Firefox 132"]) ?? "Chrome 130"
            }
        let home = dice.pick([("en-US", Int32(-300)), ("en-GB", 0), ("de-DE", 60), ("hi-IN", 330)]) ?? ("en-GB", 0)
        locale = home.0
        utcOffsetMinutes = home.1
        confirmsDelivery = platform != .iOS || appVersion != "2.3.1"
    }
}
