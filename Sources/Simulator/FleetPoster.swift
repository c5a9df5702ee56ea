import AfterpushClient
import AfterpushWire
package import Foundation
import Synchronization

/// Posts a fleet's traffic to a collector, several requests at a time: each device by the device library's own core.
package struct FleetPoster: Sendable {
    private let url: URL
    private let ingestKey: String
    private let sendKey: String
    private let concurrency: Int
    private let queues: URL?
    private let patience: Double

    /// - Parameters:
    ///   - baseURL: of the collector, `http://127.0.0.1:8080`.
    ///   - queues: where the devices keep their queues on the disk; without it, in memory.
    ///   - patience: seconds for which a device tries to get its events taken.
    package init(
        baseURL: URL, ingestKey: String, sendKey: String, concurrency: Int = 16, queues: URL? = nil,
        patience: Double = 60
    ) {
        url = baseURL
        self.ingestKey = ingestKey
        self.sendKey = sendKey
        self.concurrency = max(1, concurrency)
        self.queues = queues
        self.patience = patience
    }

    /// Lets the provider's server, all devices and all forgers post, or throws `FleetPostError` for the first of whom
    /// the collector does not take it.
    ///
    /// Events are posted as they are, `sent_at` is each device's clock when it really posts.
    ///
    /// - Parameter progress: called after each time that somebody posted, in turn.
    package func post(
        _ traffic: FleetTraffic, progress: @Sendable (_ done: Int, _ inAll: Int) -> Void = { _, _ in }
    ) async throws -> FleetTally {
        try await post(traffic, over: URLSessionTransport(connections: concurrency), progress: progress)
    }

    func post(
        _ traffic: FleetTraffic, over network: any EventTransport,
        progress: @Sendable (_ done: Int, _ inAll: Int) -> Void = { _, _ in }
    ) async throws -> FleetTally {
        let errands = FleetJobs(traffic, senders(network))
        let work = errands.all
        var waiting = work.makeIterator()
        var done = 0
        var tally = FleetTally()
        return try await withThrowingTaskGroup(of: FleetTally.self) { group in
            func startNext() {
                guard let job = waiting.next() else { return }
                group.addTask { try await errands.run(job) }
            }
            for _ in 0..<concurrency { startNext() }
            while let part = try await group.next() {
                startNext()
                tally.add(part)
                done += 1
                progress(done, work.count)
            }
            return tally
        }
    }

    private func senders(_ network: any EventTransport) -> FleetSenders {
        FleetSenders(
            url: url, ingestKey: ingestKey, sendKey: sendKey, queues: queues, patience: patience, network: network)
    }
}
