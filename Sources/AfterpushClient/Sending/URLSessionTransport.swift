import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests by URLSession, without cookies, caches, stored credentials or redirects.
public final class URLSessionTransport: EventTransport {
    private let session: URLSession
    private let collector = ResponseCollector()
    private let alarms = DispatchQueue(label: "afterpush.transport", qos: .utility)

    public convenience init() {
        self.init(connections: 1)
    }

    /// - Parameter connections: at once, at most; a fleet needs more than a device.
    package init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        session = URLSession(configuration: configuration, delegate: collector, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    /// Not `data(for:)`: on Linux a task that is cancelled while its answer arrives can wait for ever
    /// (swift-corelibs-foundation issue 5412). And a session's own timeout starts anew with every byte.
    public func answer(to request: TransportRequest) async throws -> TransportResponse {
        try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: Self.http(request))
            let number = task.taskIdentifier
            collector.wait(for: number, continuation)
            task.resume()
            // The alarm rings also after an answer: nothing of it is kept until then.
            alarms.asyncAfter(deadline: .now() + request.timeout) { [weak task, collector] in
                collector.giveUp(number)
                task?.cancel()
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
}
