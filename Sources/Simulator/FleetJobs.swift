import AfterpushWire
import Synchronization

/// Who posts what, in which order.
final class FleetJobs: Sendable {
    enum Job: Sendable {
        /// Of the provider's server.
        case sends(ArraySlice<IngestEvent>)
        case visit(DeviceVisit)
        case forgery(Forgery)
    }

    /// Events that the server posts at once.
    private static let batch = 500

    let all: [Job]
    private let traffic: FleetTraffic
    private let senders: FleetSenders
    /// By the device's place; a device that has posted all it has is gone.
    private let devices = Mutex<[Int: (sender: FleetSender, visits: Int)]>([:])
    private let visits: [Int: Int]

    init(_ traffic: FleetTraffic, _ senders: FleetSenders) {
        self.traffic = traffic
        self.senders = senders
        let sends = stride(from: 0, to: traffic.sends.count, by: Self.batch).map {
            Job.sends(traffic.sends[$0..<min($0 + Self.batch, traffic.sends.count)])
        }
        all = sends + traffic.visits.map(Job.visit) + traffic.forgeries.map(Job.forgery)
        visits = traffic.visits.reduce(into: [:]) { $0[$1.device, default: 0] += 1 }
    }

    func run(_ job: Job) async throws -> FleetTally {
        switch job {
        case .sends(let events):
            let server = senders.server()
            try server.keep(events)
            return try await server.post()
        case .visit(let visit):
            let device = device(visit.device)
            try device.record(visit.entries)
            return try await device.post()
        case .forgery(let forgery):
            let isKeyless = forgery.kind == .withoutKey
            let forger = senders.stranger(hasKey: !isKeyless)
            try forger.keep([forgery.event])
            guard isKeyless else { return try await forger.post() }
            var tally = FleetTally()
            if await forger.postInVain() { tally.addRefusal() }
            return tally
        }
    }

    private func device(_ number: Int) -> FleetSender {
        devices.withLock { devices in
            let known = devices[number] ?? (senders.device(traffic.devices[number]), visits[number] ?? 0)
            devices[number] = known.visits > 1 ? (known.sender, known.visits - 1) : nil
            return known.sender
        }
    }
}
