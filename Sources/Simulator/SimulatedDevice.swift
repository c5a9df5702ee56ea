import AfterpushWire
import Foundation

/// A device of the fleet and its owner.
struct SimulatedDevice: Sendable {
    let id: String
    let segment: FleetSegment
    let build: FleetSegment.Build
    let osVersion: String
    let home: FleetSegment.Home
    /// The seconds by which its clock is ahead of the true time.
    let clockSkew: Double
    /// The period in which it neither receives nor posts anything.
    let offline: Range<Timestamp>?
    let isForger: Bool
    /// The factor by which its owner responds more or less often than the segment.
    let inclination: Double
    /// The random numbers that decide what happens to its requests.
    let networkRandom: RandomSource

    /// Creates a device of a random segment.
    ///
    /// - Parameters:
    ///   - unlikeness: That of the plan.
    ///   - start: The beginning of the plan.
    ///   - end: The end of the plan, when every device is online again.
    init(
        number: Int, of segments: [FleetSegment], unlikeness: Double = 0, from start: Timestamp, until end: Timestamp,
        random: inout RandomSource
    ) {
        let segment = random.pick(segments, by: \.weight) ?? FleetSegment.demo[0]
        id = "device-\(number)"
        self.segment = segment
        build = random.pick(segment.builds, by: \.weight) ?? FleetSegment.Build("1.0")
        osVersion = random.pick(segment.osVersions) ?? ""
        home = random.pick(segment.homes) ?? FleetSegment.Home("en-GB", 0)
        // Most clocks are set by the network.
        let isWrong = random.happens(segment.wrongClocks)
        let skew = isWrong ? random.number(in: segment.clockError) : random.number(in: 0..<1)
        clockSkew = random.happens(0.5) ? skew : -skew
        let isOffline = random.happens(segment.offline)
        let begin = start.advanced(by: random.number(in: 0..<max(1, start.seconds(until: end))))
        let back = min(end.advanced(by: 0), begin.advanced(by: random.number(in: segment.offlineHours) * 3_600))
        offline = isOffline && begin < back ? begin..<back : nil
        isForger = random.happens(segment.forgers)
        networkRandom = random.fork()
        inclination =
            unlikeness > 0 ? random.logNormal(median: exp(-unlikeness * unlikeness / 2), spread: unlikeness) : 1
    }

    var platform: Platform { segment.platform }
    var canConfirm: Bool { build.confirms }

    /// Returns `time`, or the end of the offline period that contains it.
    func onlineTime(from time: Timestamp) -> Timestamp {
        guard let offline, offline.contains(time) else { return time }
        return offline.upperBound
    }
}

/// The events of a device that belong to no notification.
struct DeviceActivity {
    private(set) var reports: [SimulatedEvent] = []

    init(from start: Timestamp, until end: Timestamp, random: RandomSource) {
        var random = random
        let seconds = Double(end.microseconds - start.microseconds) / 1_000_000
        guard seconds > 0 else { return }
        func moment() -> Timestamp { start.advanced(by: random.number(in: 0..<seconds)) }
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            reports.append(SimulatedEvent(.appOpened, moment(), appState: "active"))
        }
        if random.happens(0.3) { reports.append(SimulatedEvent(.tokenRegistered, moment(), appState: "active")) }
        if random.happens(0.05) { reports.append(SimulatedEvent(.permissionGranted, moment(), appState: "active")) }
        // Near the end, because the simulated deliveries ignore a revoked permission.
        if random.happens(0.01) {
            let lateness = random.number(in: 0..<min(seconds, 3_600))
            reports.append(SimulatedEvent(.permissionRevoked, end.advanced(by: -lateness), appState: "background"))
        }
    }
}
