package import AfterpushWire

/// A group of similar devices: their properties, the behavior of their owners, and their faults.
package struct FleetSegment: Sendable {
    /// A version of the app.
    package struct Build: Sendable {
        package var version: String
        package var weight: Double
        /// Whether it has a service extension or push handler that confirms deliveries.
        package var confirms: Bool

        package init(_ version: String, weight: Double = 1, confirms: Bool = true) {
            self.version = version
            self.weight = weight
            self.confirms = confirms
        }
    }

    /// A locale and a time zone.
    package struct Home: Sendable {
        package var locale: String
        package var utcOffsetMinutes: Int32

        package init(_ locale: String, _ utcOffsetMinutes: Int32) {
            self.locale = locale
            self.utcOffsetMinutes = utcOffsetMinutes
        }
    }

    /// The factors by which the segment differs from the probabilities and response times of a variant.
    package struct Habits: Sendable {
        package var open = 1.0
        /// The factors of actions and text inputs, by identifier.
        package var actions: [String: Double] = [:]
        package var dismiss = 1.0
        package var responseTime = 1.0

        package init() {}

        package func open(_ variant: PlannedVariant) -> Double { variant.open * open }

        package func dismiss(_ variant: PlannedVariant) -> Double { variant.dismiss * dismiss }

        /// Returns the probability of an action or a text input, or 0 if the variant doesn't offer it.
        package func probability(of action: String, _ variant: PlannedVariant) -> Double {
            let offered = variant.actions.first { $0.id == action }?.probability
            let replied = variant.reply.flatMap { $0.action == action ? $0.probability : nil }
            return (offered ?? replied ?? 0) * (actions[action] ?? 1)
        }
    }

    package var name: String
    /// The share of devices in relation to the weights of the other segments.
    package var weight: Double
    package var platform: Platform
    package var builds: [Build]
    package var osVersions: [String]
    package var homes: [Home] = Home.some
    package var habits = Habits()
    /// The share of devices whose clock is wrong.
    package var wrongClocks = 0.03
    /// The seconds by which a wrong clock is ahead or behind.
    package var clockError = 120.0..<900.0
    /// The share of devices that are offline once.
    package var offline = 0.08
    /// The duration of an offline period.
    package var offlineHours = 1.0..<20.0
    /// The share of responses that are lost, so that the device posts the same events again.
    package var lostResponses = 0.02
    /// The share of devices whose owner posts forged events.
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
