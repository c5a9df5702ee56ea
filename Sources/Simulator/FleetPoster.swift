import AfterpushClient
import AfterpushWire
package import Foundation

/// Posts a fleet's traffic to a collector, each device with a client of the device library.
package struct FleetPoster: Sendable {
    private let url: URL
    private let ingestKey: String
    private let sendKey: String
    private let concurrency: Int
    private let queues: URL?
    private let timeout: Double

    /// Creates a poster.
    ///
    /// - Parameters:
    ///   - baseURL: The address of the collector, such as `http://127.0.0.1:8080`.
    ///   - concurrency: The number of simultaneous requests.
    ///   - queues: The directory of the devices' queues, or nil for queues in memory.
    ///   - timeout: The seconds within which the collector must acknowledge the events of a device.
    package init(
        baseURL: URL, ingestKey: String, sendKey: String, concurrency: Int = 16, queues: URL? = nil,
        timeout: Double = 60
    ) {
        url = baseURL
        self.ingestKey = ingestKey
        self.sendKey = sendKey
        self.concurrency = max(1, concurrency)
        self.queues = queues
        self.timeout = timeout
    }

    /// Posts the events of the provider's server, of all devices and of all forgers, and returns the sum of the
    /// responses.
    ///
    /// The `sent_at` of a request is the device's clock at the real time of posting.
    ///
    /// - Parameter progress: Called after each job, one call at a time.
    /// - Throws: The first `FleetPostError`. The remaining jobs are cancelled.
    package func post(
        _ traffic: FleetTraffic, progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> FleetTally {
        try await post(traffic, over: AfterpushClient.defaultTransport(connections: concurrency), progress: progress)
    }

    func post(
        _ traffic: FleetTraffic, over network: any EventTransport,
        progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> FleetTally {
        let jobs = FleetJobs(traffic, senders(network))
        var remaining = jobs.all.makeIterator()
        var done = 0
        var tally = FleetTally()
        return try await withThrowingTaskGroup(of: FleetTally.self) { group in
            func startNext() {
                guard let job = remaining.next() else { return }
                group.addTask { try await jobs.run(job) }
            }
            for _ in 0..<concurrency { startNext() }
            while let part = try await group.next() {
                startNext()
                tally.add(part)
                done += 1
                progress(done, jobs.all.count)
            }
            return tally
        }
    }

    private func senders(_ network: any EventTransport) -> FleetSenders {
        FleetSenders(
            url: url, ingestKey: ingestKey, sendKey: sendKey, queues: queues, timeout: timeout, network: network)
    }
}

/// A request that the collector didn't acknowledge in time.
package struct FleetPostError: Error, Equatable, CustomStringConvertible {
    /// The status of the last response, or nil if there was none.
    package let status: Int?
    /// The code of the problem document, if the response was one.
    package let code: String?
    /// The detail of the problem document, or the error of the connection.
    package let detail: String?
    package let attempts: Int

    init(_ failure: FleetTransport.Failure) {
        self.init(status: failure.status, code: failure.code, detail: failure.detail, attempts: failure.attempts)
    }

    init(status: Int?, code: String?, detail: String?, attempts: Int) {
        self.status = status
        self.code = code
        self.detail = detail
        self.attempts = attempts
    }

    package var description: String {
        let response = status.map { "status \($0)" } ?? "no response"
        let parts = [response, code, detail].compactMap(\.self).joined(separator: ", ")
        let count = "\(attempts) \(attempts == 1 ? "attempt" : "attempts")"
        return "the collector did not accept a request: \(parts) (\(count))"
    }
}
