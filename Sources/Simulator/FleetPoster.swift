import AfterpushWire
package import Foundation
import FoundationNetworking

/// Posts a fleet's traffic to a collector, several requests at a time.
package struct FleetPoster: Sendable {
    /// A request that was not taken, however often it was tried.
    package struct Refused: Error, CustomStringConvertible {
        let status: Int?
        let reason: String

        package var description: String {
            "the collector did not take a request: " + (status.map { "status \($0), " } ?? "") + reason
        }
    }

    /// What the collector answered, summed up.
    package struct Tally: Sendable {
        package var accepted = 0
        package var duplicates = 0
        package var rejected = 0
    }

    private let url: URL
    private let ingestKey: String
    private let sendKey: String
    private let concurrency: Int
    private let session: URLSession

    /// - Parameter baseURL: of the collector, `http://127.0.0.1:8080`.
    package init(baseURL: URL, ingestKey: String, sendKey: String, concurrency: Int = 8) {
        url = baseURL.appending(path: "v1/events")
        self.ingestKey = ingestKey
        self.sendKey = sendKey
        self.concurrency = concurrency
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = concurrency
        configuration.timeoutIntervalForRequest = 30
        session = URLSession(configuration: configuration)
    }

    /// - Parameter progress: called with the requests done so far, and all.
    package func post(
        _ traffic: FleetTraffic, progress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    ) async throws -> Tally {
        let requests =
            traffic.serverRequests.map { ($0, sendKey) } + traffic.deviceRequests.map { ($0, ingestKey) }
        var tally = Tally()
        var next = 0
        var done = 0
        try await withThrowingTaskGroup(of: IngestAnswer.self) { group in
            while done < requests.count {
                while next < requests.count, next - done < concurrency {
                    let (request, key) = requests[next]
                    group.addTask { try await post(request, key) }
                    next += 1
                }
                guard let answer = try await group.next() else { return }
                tally.accepted += answer.accepted
                tally.duplicates += answer.duplicates
                tally.rejected += answer.rejected.count
                done += 1
                progress(done, requests.count)
            }
        }
        return tally
    }

    private func post(_ request: IngestRequest, _ key: String) async throws -> IngestAnswer {
        var http = URLRequest(url: url)
        http.httpMethod = "POST"
        http.httpBody = try JSONEncoder().encode(request)
        http.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        http.setValue("application/json", forHTTPHeaderField: "Content-Type")
        var attempt = 0
        while true {
            attempt += 1
            let (status, body) = await send(http)
            if let status, [200, 202, 422].contains(status) {
                return try JSONDecoder().decode(IngestAnswer.self, from: body)
            }
            let mayRetry = status.map { [408, 429, 502, 503, 504].contains($0) } ?? true
            guard mayRetry, attempt < 6 else {
                throw Refused(status: status, reason: String(decoding: body.prefix(500), as: UTF8.self))
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...(100 << attempt))))
        }
    }

    /// The status and the body; without a status, what went wrong on the way.
    private func send(_ request: URLRequest) async -> (Int?, Data) {
        do {
            let (body, response) = try await session.data(for: request)
            return ((response as? HTTPURLResponse)?.statusCode, body)
        } catch {
            return (nil, Data("\(error.localizedDescription)".utf8))
        }
    }
}
