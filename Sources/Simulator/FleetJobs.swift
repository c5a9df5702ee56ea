import AfterpushWire
import Synchronization

/// The posting jobs of a fleet, in order.
final class FleetJobs: Sendable {
    enum Job: Sendable {
        /// A batch of the provider's server.
        case sends(ArraySlice<IngestEvent>)
        case visit(DeviceVisit)
        case forgery(Forgery)
    }

    /// The number of events that the server posts in one request.
    private static let serverBatch = 500

    let all: [Job]
    private let traffic: FleetTraffic
    private let senders: FleetSenders
    /// The active devices by index. A device is removed after its last visit.
    private let devices = Mutex<[Int: (sender: FleetSender, visits: Int)]>([:])
    private let visits: [Int: Int]

    init(_ traffic: FleetTraffic, _ senders: FleetSenders) {
        self.traffic = traffic
        self.senders = senders
        let sends = stride(from: 0, to: traffic.sends.count, by: Self.serverBatch).map {
            Job.sends(traffic.sends[$0..<min($0 + Self.serverBatch, traffic.sends.count)])
        }
        all = sends + traffic.visits.map(Job.visit) + traffic.forgeries.map(Job.forgery)
        visits = traffic.visits.reduce(into: [:]) { $0[$1.device, default: 0] += 1 }
    }

    func run(_ job: Job) async throws -> FleetTally {
        switch job {
        case .sends(let events):
            let server = senders.server()
            try server.enqueue(events)
            return try await server.post()
        case .visit(let visit):
            let device = device(visit.device)
            try device.record(visit.entries)
            return try await device.post()
        case .forgery(let forgery):
            let isKeyless = forgery.kind == .withoutKey
            let forger = senders.forger(hasKey: !isKeyless)
            try forger.enqueue([forgery.event])
            guard isKeyless else { return try await forger.post() }
            var tally = FleetTally()
            if await forger.postExpectingRefusal() { tally.addRefusal() }
            return tally
        }
    }

    private func device(_ index: Int) -> FleetSender {
        devices.withLock { devices in
            let known = devices[index] ?? (senders.device(traffic.devices[index]), visits[index] ?? 0)
            devices[index] = known.visits > 1 ? (known.sender, known.visits - 1) : nil
            return known.sender
        }
    }
}
