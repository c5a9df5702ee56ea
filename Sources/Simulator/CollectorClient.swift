import AfterpushWire
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Posts one request at a time, again and again until it is taken.
struct CollectorClient: Sendable {
    let url: URL
    let session: URLSession
    let retries: RetryPolicy
    /// When the requests were made.
    let madeAt: Timestamp

    /// What came back; without a status, why nothing did.
    private struct Reply {
        var status: Int?
        var retryAfter: Double?
        var body = Data()
        var failure: String?
    }

    /// The part of a problem document that an error names.
    private struct Problem: Decodable {
        let code: String?
        let detail: String?
    }

    func post(_ request: IngestRequest, key: String) async throws -> IngestAnswer {
        var tries = 0
        while true {
            try Task.checkCancellation()
            let reply = await send(try http(request, key: key))
            tries += 1
            if let status = reply.status, [200, 202, 422].contains(status),
                let answer = try? JSONDecoder().decode(IngestAnswer.self, from: reply.body)
            {
                return answer
            }
            guard
                let delay = retries.delay(
                    after: tries, status: reply.status, retryAfter: reply.retryAfter, jitter: .random(in: 0...1))
            else { throw error(reply, tries: tries) }
            try await Task.sleep(for: .seconds(delay))
        }
    }

    private func http(_ request: IngestRequest, key: String) throws -> URLRequest {
        var request = request
        let age = Date.now.timeIntervalSince1970 - Double(madeAt.microseconds) / 1_000_000
        request.sentAt = request.sentAt?.advanced(by: age)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var http = URLRequest(url: url)
        http.httpMethod = "POST"
        http.httpBody = try encoder.encode(request)
        http.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization")
        http.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return http
    }

    /// Not `data(for:)`: there a task that is cancelled while its answer arrives waits for the session's queue, which
    /// waits for the task, for ever (swift-corelibs-foundation issue 5412). So cancellation takes effect after the
    /// request, which ends by its timeout.
    private func send(_ request: URLRequest) async -> Reply {
        await withCheckedContinuation { continuation in
            session.dataTask(with: request) { body, response, error in
                continuation.resume(returning: Self.reply(body, response, error))
            }.resume()
        }
    }

    private static func reply(_ body: Data?, _ response: URLResponse?, _ error: (any Error)?) -> Reply {
        guard error == nil, let response = response as? HTTPURLResponse else {
            return Reply(failure: error?.localizedDescription ?? "not an HTTP answer")
        }
        let retryAfter = response.value(forHTTPHeaderField: "Retry-After").flatMap(Double.init)
        return Reply(status: response.statusCode, retryAfter: retryAfter, body: body ?? Data())
    }

    private func error(_ reply: Reply, tries: Int) -> FleetPostError {
        let problem = try? JSONDecoder().decode(Problem.self, from: reply.body)
        return FleetPostError(
            status: reply.status, code: problem?.code, detail: problem?.detail ?? reply.failure, tries: tries)
    }
}
