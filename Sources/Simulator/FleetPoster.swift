import AfterpushWire
package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts a fleet's traffic to a collector, several requests at a time.
package struct FleetPoster: Sendable {
    private let url: URL
    private let ingestKey: String
    private let sendKey: String
    private let concurrency: Int
    private let retries: RetryPolicy

    /// - Parameter baseURL: of the collector, `http://127.0.0.1:8080`.
    package init(baseURL: URL, ingestKey: String, sendKey: String, concurrency: Int = 8) {
        self.init(
            baseURL: baseURL, ingestKey: ingestKey, sendKey: sendKey, concurrency: concurrency, retries: RetryPolicy())
    }

    init(baseURL: URL, ingestKey: String, sendKey: String, concurrency: Int, retries: RetryPolicy) {
        url = baseURL.appending(path: "v1/events")
        self.ingestKey = ingestKey
        self.sendKey = sendKey
        self.concurrency = max(1, concurrency)
        self.retries = retries
    }

    /// Posts all requests, or throws `FleetPostError` for the first that is not taken after 8 tries.
    ///
    /// The events are posted as they are; `sent_at` is moved on by the time since the traffic was made, so that it
    /// states each device's clock when it really posts.
    ///
    /// - Parameter progress: called after each request, in turn.
    package func post(
        _ traffic: FleetTraffic,
        progress: @Sendable (_ requestsDone: Int, _ requestsInAll: Int) -> Void = { _, _ in }
    ) async throws -> FleetTally {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.timeoutIntervalForRequest = 30
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let client = CollectorClient(url: url, session: session, retries: retries, madeAt: traffic.now)
        let work = traffic.serverRequests.map { ($0, sendKey) } + traffic.deviceRequests.map { ($0, ingestKey) }
        var waiting = work.makeIterator()
        var done = 0
        var tally = FleetTally()
        return try await withThrowingTaskGroup(of: IngestAnswer.self) { group in
            func startNext() {
                guard let (request, key) = waiting.next() else { return }
                group.addTask { try await client.post(request, key: key) }
            }
            for _ in 0..<concurrency { startNext() }
            while let answer = try await group.next() {
                startNext()
                tally.add(answer)
                done += 1
                progress(done, work.count)
            }
            return tally
        }
    }
}
