import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests by URLSession, without cookies, caches or stored credentials.
public final class URLSessionTransport: EventTransport {
    private let session: URLSession
    private let alarms = DispatchQueue(label: "afterpush.transport", qos: .utility)

    private struct NoAnswer: Error {}

    public init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 1
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Not `data(for:)`: on Linux a task that is cancelled while its answer arrives can wait for ever
    /// (swift-corelibs-foundation issue 5412). And a session's own timeout starts anew with every byte.
    public func answer(to request: TransportRequest) async throws -> TransportAnswer {
        try await withCheckedThrowingContinuation { continuation in
            let waiting = Guarded<CheckedContinuation<TransportAnswer, any Error>?>(continuation)
            @Sendable func finish(_ result: Result<TransportAnswer, any Error>) {
                let first = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                first?.resume(with: result)
            }
            let task = session.dataTask(with: Self.http(request)) { body, response, error in
                finish(Self.result(body, response, error))
            }
            task.resume()
            alarms.asyncAfter(deadline: .now() + request.timeout) {
                finish(.failure(NoAnswer()))
                task.cancel()
            }
        }
    }

    private static func http(_ request: TransportRequest) -> URLRequest {
        var http = URLRequest(url: request.url)
        http.httpMethod = request.method
        http.httpBody = request.body
        http.timeoutInterval = request.timeout
        for (name, value) in request.headers { http.setValue(value, forHTTPHeaderField: name) }
        return http
    }

    private static func result(
        _ body: Data?, _ response: URLResponse?, _ error: (any Error)?
    ) -> Result<TransportAnswer, any Error> {
        guard error == nil, let response = response as? HTTPURLResponse else { return .failure(error ?? NoAnswer()) }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return .success(TransportAnswer(status: response.statusCode, headers: headers, body: body ?? Data()))
    }
}
