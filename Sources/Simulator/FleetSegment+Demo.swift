import AfterpushWire

extension FleetSegment {
    /// The segments of the demo: most people have a recent app, some an old one, and some use the web.
    package static let demo: [FleetSegment] = [regulars, commuters, laggards, android, web]

    private static let iOS = ["17.7", "18.6", "26.1", "26.1"]

    private static let regulars = FleetSegment(
        "regulars", weight: 0.4, .iOS, [Build("2.4.0", weight: 2), Build("2.5.2", weight: 3)], osVersions: iOS)

    /// A segment that responds quickly or not at all, and is often offline.
    private static let commuters: FleetSegment = {
        var segment = FleetSegment("commuters", weight: 0.12, .iOS, [Build("2.5.2")], osVersions: iOS)
        segment.habits.actions = ["book": 1.25, "answer": 0.7]
        segment.habits.responseTime = 0.6
        segment.offline = 0.3
        segment.offlineHours = 0.5..<4
        return segment
    }()

    /// A segment with an old app, which has no service extension yet.
    private static let laggards: FleetSegment = {
        var segment = FleetSegment("laggards", weight: 0.1, .iOS, [Build("2.3.1", confirms: false)], osVersions: iOS)
        segment.habits.open = 0.8
        segment.habits.dismiss = 1.2
        segment.wrongClocks = 0.08
        return segment
    }()

    private static let android: FleetSegment = {
        var segment = FleetSegment(
            "android", weight: 0.3, .android,
            [Build("2.3.1"), Build("2.4.0", weight: 2), Build("2.5.2", weight: 3)],
            osVersions: ["13", "14", "15", "16"])
        segment.habits.responseTime = 1.2
        return segment
    }()

    private static let web: FleetSegment = {
        var segment = FleetSegment(
            "web", weight: 0.08, .web, [Build("2.4.0"), Build("2.5.2")],
            osVersions: ["Chrome 142", "Edge 142", "Firefox 145"])
        segment.homes = [Home("en-US", -300), Home("en-GB", 0), Home("de-DE", 60)]
        segment.habits.open = 0.7
        segment.lostResponses = 0.04
        return segment
    }()
}
