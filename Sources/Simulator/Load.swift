import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts new events at a collector on some connections, each as soon as the one before was answered.
package struct Load: Sendable {
    private let plan: LoadPlan
    private let session: URLSession

    package init(_ plan: LoadPlan) {
        self.plan = plan
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = plan.connections
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
    }

    package func run() async -> LoadOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let end = start + plan.duration
        let answers = await withTaskGroup(of: [Duration?].self) { group in
            for connection in 0..<plan.connections {
                group.addTask {
                    var answers: [Duration?] = []
                    while clock.now < end, !Task.isCancelled {
                        let request = http(on: connection)
                        let begun = clock.now
                        answers.append(await isTaken(request) ? begun.duration(to: clock.now) : nil)
                    }
                    return answers
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        session.invalidateAndCancel()
        let latencies = answers.compactMap(\.self).sorted()
        return LoadOutcome(
            latencies: latencies, failures: answers.count - latencies.count,
            elapsed: start.duration(to: clock.now), eventsPerRequest: plan.events)
    }

    private func http(on connection: Int) -> URLRequest {
        var request = URLRequest(url: plan.url.appending(path: "v1/events"))
        request.httpMethod = "POST"
        request.httpBody = body(of: connection)
        request.setValue("Bearer \(plan.key)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }

    /// As a device of a campaign of its own answers: each event with another notification.
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

    private func isTaken(_ request: URLRequest) async -> Bool {
        await withCheckedContinuation { continuation in
            session.dataTask(with: request) { _, response, _ in
                continuation.resume(returning: (response as? HTTPURLResponse)?.statusCode == 200)
            }.resume()
        }
    }
}
