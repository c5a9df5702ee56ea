import AfterpushWire

/// A person's device of the fleet.
struct SimulatedDevice: Sendable {
    let id: String
    let segment: FleetSegment
    let build: FleetSegment.Build
    let osVersion: String
    let home: FleetSegment.Home
    /// Seconds that its clock is ahead of the true time.
    let clockSkew: Double
    /// When nothing reaches it, and it reaches nobody.
    let offline: Range<Timestamp>?
    let isForger: Bool
    /// Of what happens to its requests.
    let networkDice: RandomSource

    /// - Parameters:
    ///   - start: the beginning of the plan.
    ///   - end: its end, when every device can be reached again.
    init(
        number: Int, of segments: [FleetSegment], from start: Timestamp, until end: Timestamp, dice: inout RandomSource
    ) {
        let segment = dice.pick(segments, by: \.weight) ?? FleetSegment.demo[0]
        id = "device-\(number)"
        self.segment = segment
        build = dice.pick(segment.builds, by: \.weight) ?? FleetSegment.Build("1.0")
        osVersion = dice.pick(segment.osVersions) ?? ""
        home = dice.pick(segment.homes) ?? FleetSegment.Home("en-GB", 0)
        // Most clocks are set by the network.
        let isWrong = dice.happens(segment.wrongClocks)
        let skew = isWrong ? dice.number(in: segment.clockError) : dice.number(in: 0..<1)
        clockSkew = dice.happens(0.5) ? skew : -skew
        let isOffline = dice.happens(segment.offline)
        let begin = start.advanced(by: dice.number(in: 0..<max(1, start.seconds(until: end))))
        let back = min(end.advanced(by: 0), begin.advanced(by: dice.number(in: segment.offlineHours) * 3_600))
        offline = isOffline && begin < back ? begin..<back : nil
        isForger = dice.happens(segment.forgers)
        networkDice = dice.fork()
    }

    var platform: Platform { segment.platform }
    var canConfirm: Bool { build.confirms }

    /// When it hears of something, or gets to tell it.
    func reached(at time: Timestamp) -> Timestamp {
        guard let offline, offline.contains(time) else { return time }
        return offline.upperBound
    }
}
