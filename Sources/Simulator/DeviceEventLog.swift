import AfterpushClient
import AfterpushWire
import Foundation

/// The events that a device records, and when it posts them.
struct DeviceEventLog {
    /// An event with the id and the time that it gets when it is recorded.
    struct Entry: Sendable, Equatable {
        let id: UUID
        /// The time by the device's clock.
        let time: Timestamp
        let event: DeviceEvent
    }

    private let device: SimulatedDevice
    /// The entries with their true times.
    private var entries: [(time: Timestamp, entry: Entry)] = []

    init(of device: SimulatedDevice) {
        self.device = device
    }

    mutating func add(
        _ event: SimulatedEvent, of delivery: SimulatedDelivery? = nil, receipt: String? = nil,
        random: inout RandomSource
    ) {
        let time = event.time.advanced(by: device.clockSkew)
        let recorded = DeviceEvent(event, of: delivery, receipt: receipt, on: device)
        entries.append((event.time, Entry(id: random.uuid(at: time), time: time, event: recorded)))
    }

    /// Returns the device's visits: a few events each, posted soon after the last of them. Events from an offline period
    /// are posted together at its end.
    ///
    /// - Parameter index: The position of the device in its fleet.
    func visits(of index: Int, random: inout RandomSource) -> [DeviceVisit] {
        // Events at the same time keep the order in which they happened.
        let ordered = entries.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        var visits: [DeviceVisit] = []
        var waiting: [Entry] = []
        var limit = Int.random(in: 4...5, using: &random)
        for (position, (time, entry)) in ordered.enumerated() {
            waiting.append(entry)
            let due = device.onlineTime(from: time)
            let isLast = position + 1 == ordered.count
            let isOfflineNext = !isLast && due > time && device.onlineTime(from: ordered[position + 1].time) == due
            let isBackOnline = due > time && !isOfflineNext
            guard isLast || isBackOnline || !isOfflineNext && waiting.count >= limit else { continue }
            visits.append(DeviceVisit(device: index, due: due, entries: waiting))
            waiting = []
            limit = Int.random(in: 4...5, using: &random)
        }
        return visits
    }
}

/// A few events that a device records and posts together.
struct DeviceVisit: Sendable, Equatable {
    /// The position of the device in its fleet.
    let device: Int
    /// The true time of posting. The visits of a fleet are posted in this order.
    let due: Timestamp
    let entries: [DeviceEventLog.Entry]
}
