import AfterpushClient
import AfterpushWire
import Foundation

/// What a device records in its life, and when it posts.
struct DeviceEventLog {
    /// An event with the id and the time that it gets when it is recorded.
    struct Entry: Sendable, Equatable {
        let id: UUID
        /// By the device's clock.
        let time: Timestamp
        let event: DeviceEvent
    }

    private let device: SimulatedDevice
    /// With the true time.
    private var entries: [(time: Timestamp, entry: Entry)] = []

    init(of device: SimulatedDevice) {
        self.device = device
    }

    mutating func add(
        _ happening: SimulatedEvent, of story: DeliveryStory? = nil, receipt: String? = nil, dice: inout RandomSource
    ) {
        let time = happening.time.advanced(by: device.clockSkew)
        let event = DeviceEvent(happening, of: story, receipt: receipt, on: device)
        entries.append((happening.time, Entry(id: dice.uuid(at: time), time: time, event: event)))
    }

    /// A few events at a time, soon after the last of them; what was recorded out of reach goes out together.
    ///
    /// - Parameter number: of the device, in its fleet.
    func visits(of number: Int, dice: inout RandomSource) -> [DeviceVisit] {
        // Equal times keep the order in which things happened.
        let ordered = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        var visits: [DeviceVisit] = []
        var waiting: [Entry] = []
        var most = Int.random(in: 4...5, using: &dice)
        for (place, (time, entry)) in ordered.enumerated() {
            waiting.append(entry)
            let posts = device.reached(at: time)
            let isLast = place + 1 == ordered.count
            let waits = !isLast && posts > time && device.reached(at: ordered[place + 1].time) == posts
            let isBack = posts > time && !waits
            guard isLast || isBack || !waits && waiting.count >= most else { continue }
            visits.append(DeviceVisit(device: number, due: posts, entries: waiting))
            waiting = []
            most = Int.random(in: 4...5, using: &dice)
        }
        return visits
    }
}
