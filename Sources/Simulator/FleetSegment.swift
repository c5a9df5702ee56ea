package import AfterpushWire

/// Devices that are alike: what they are, how their owners behave, and what goes wrong with them.
package struct FleetSegment: Sendable {
    /// A version of the app.
    package struct Build: Sendable {
        package var version: String
        package var weight: Double
        /// Whether it has a service extension or push handler, which confirms what arrives.
        package var confirms: Bool

        package init(_ version: String, weight: Double = 1, confirms: Bool = true) {
            self.version = version
            self.weight = weight
            self.confirms = confirms
        }
    }

    /// Where people live.
    package struct Home: Sendable {
        package var locale: String
        package var utcOffsetMinutes: Int32

        package init(_ locale: String, _ utcOffsetMinutes: Int32) {
            self.locale = locale
            self.utcOffsetMinutes = utcOffsetMinutes
        }
    }

    /// How its people differ from what a variant says of all: factors on its probabilities, and on the time they take.
    package struct Habits: Sendable {
        package var open = 1.0
        /// By action identifier, text inputs among them.
        package var actions: [String: Double] = [:]
        package var dismiss = 1.0
        package var responseTime = 1.0

        package init() {}
    }

    package var name: String
    /// How many devices belong to it, against the other segments' weights.
    package var weight: Double
    package var platform: Platform
    package var builds: [Build]
    package var osVersions: [String]
    package var homes: [Home] = Home.some
    package var habits = Habits()
    /// Share of devices whose clock nobody sets, and by how many seconds those are off, to either side.
    package var wrongClocks = 0.03
    package var clockError = 120.0..<900.0
    /// Share of devices that are once out of reach for a while, and for how many hours.
    package var offline = 0.08
    package var offlineHours = 1.0..<20.0
    /// Share of answers that get lost on their way to the device, which posts the same again.
    package var lostAnswers = 0.02
    /// Share of devices in the hands of somebody who posts events that are not true.
    package var forgers = 0.0

    package init(_ name: String, weight: Double, _ platform: Platform, _ builds: [Build], osVersions: [String]) {
        self.name = name
        self.weight = weight
        self.platform = platform
        self.builds = builds
        self.osVersions = osVersions
    }
}

extension FleetSegment.Home {
    package static let some = [
        FleetSegment.Home("en-US", -300), .init("en-US", -480), .init("en-GB", 0), .init("de-DE", 60),
        .init("es-ES", 60), .init("hi-IN", 330),
    ]
}
