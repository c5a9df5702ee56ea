import Foundation

#if canImport(FoundationNetworking)
    // On Linux, this is a target of its own.
    public import AfterpushClient
    import FoundationNetworking
#endif

/// A transport that uses a `URLSession` without cookies, caches, stored credentials or redirects.
///
/// It gives up on a response that is larger than 2 MiB, so that an extension doesn't run out of memory.
///
/// The library has it on Apple platforms only. Foundation's URLSession on Linux ends the process on some malformed
/// responses, so this is built there for tests alone.
public final class URLSessionTransport: EventTransport {
    private let session: URLSession
    private let collector = ResponseCollector()
    private let timeouts = DispatchQueue(label: "afterpush.transport", qos: .utility)

    /// Creates a transport with one connection to the collector.
    public convenience init() {
        self.init(connections: 1)
    }

    /// Creates a transport with several connections.
    ///
    /// - Parameter connections: The largest number of simultaneous connections.
    package init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        session = URLSession(configuration: configuration, delegate: collector, delegateQueue: nil)
    }

    deinit {
        session.finishTasksAndInvalidate()
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        // Without `data(for:)`: on Linux a task that is cancelled while its response arrives can wait forever
        // (swift-corelibs-foundation issue 5412). The session's own timeout restarts with every byte.
        try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: Self.http(request))
            let number = task.taskIdentifier
            collector.expect(number, continuation)
            task.resume()
            // This also runs after a response, so it must not keep the response in memory until then.
            timeouts.asyncAfter(deadline: .now() + request.timeout) { [weak task, collector] in
                collector.fail(number)
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
