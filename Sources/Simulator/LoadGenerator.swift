import AfterpushClient
package import Foundation

/// Posts new events to a collector on several connections, each request as soon as the previous one has a response.
package struct LoadGenerator: Sendable {
    private let plan: LoadPlan
    private let network: any EventTransport

    package init(_ plan: LoadPlan) {
        self.plan = plan
        network = AfterpushClient.defaultTransport(connections: plan.connections)
    }

    package func run() async -> LoadOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + plan.duration
        let latencies = await withTaskGroup(of: [Duration?].self) { group in
            for connection in 0..<plan.connections {
                group.addTask {
                    var latencies: [Duration?] = []
                    while clock.now < end, !Task.isCancelled {
                        let request = http(on: connection)
                        let sentAt = clock.now
                        latencies.append(await isAcknowledged(request) ? sentAt.duration(to: clock.now) : nil)
                    }
                    return latencies
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        let acknowledged = latencies.compactMap(\.self).sorted()
        return LoadOutcome(
            latencies: acknowledged, failures: latencies.count - acknowledged.count,
            elapsed: start.duration(to: clock.now), eventsPerRequest: plan.events)
    }

    private func http(on connection: Int) -> TransportRequest {
        TransportRequest(
            method: "POST", url: plan.url.appending(path: "v1/events"),
            headers: ["Authorization": "Bearer \(plan.key)", "Content-Type": "application/json"],
            body: body(of: connection), timeout: 30)
    }

    /// Returns the body of a request: taps of one device, each on another notification.
    private func body(of connection: Int) -> Data {
        let now = Date.now.formatted(.iso8601)
        let events = (0..<plan.events).map { _ in
            let id = UUID().uuidString
            return #"{"event_id":"\#(id)","notification_id":"\#(id)","device_id":"device-\#(connection)","#
                + #""action_identifier":"buy","campaign_id":"bench","category_id":"bench","platform":"ios","#
                + #""occurred_at":"\#(now)"}"#
        }
        return Data("[\(events.joined(separator: ","))]".utf8)
    }

    private func isAcknowledged(_ request: TransportRequest) async -> Bool {
        (try? await network.send(request).status) == 200
    }
}

/// The settings of a load generator.
///
/// | property | meaning |
/// | --- | --- |
/// | `url` | address of the collector |
/// | `key` | a key that may post events |
/// | `connections` | number of simultaneous requests |
/// | `events` | number of events in a request |
/// | `duration` | time after which no more requests are sent |
package struct LoadPlan: Sendable {
    package let url: URL
    package let key: String
    package var connections = 16
    package var events = 100
    package var duration: Duration = .seconds(10)

    package init(url: URL, key: String) {
        self.url = url
        self.key = key
    }
}

/// The result of a load generator.
package struct LoadOutcome: Sendable {
    /// The times from request to response in ascending order, of requests whose events were all acknowledged.
    package let latencies: [Duration]
    /// The number of requests with another response or none.
    package let failures: Int
    /// The time from the first request to the last response.
    package let elapsed: Duration
    package let eventsPerRequest: Int

    package var requestsPerSecond: Double { Double(latencies.count) / (elapsed / .seconds(1)) }
    package var eventsPerSecond: Double { requestsPerSecond * Double(eventsPerRequest) }

    /// Returns a quantile of the latencies by nearest rank, or nil if there are none.
    package func quantile(_ share: Double) -> Duration? {
        guard !latencies.isEmpty else { return nil }
        let rank = (share * Double(latencies.count)).rounded(.up)
        return latencies[min(max(Int(rank), 1), latencies.count) - 1]
    }
}
