import Foundation

#if canImport(FoundationNetworking)
    // On Linux, this is a target of its own.
    import AfterpushClient
    import FoundationNetworking
#endif

/// A session delegate that collects responses up to a size limit and follows no redirects.
///
/// A captive portal may respond with a page of any size or with a redirect. An extension has 24 MB of memory for
/// everything it does, and events are for the collector only.
///
/// On Linux the limit works for responses that arrive more slowly than they are read, as over any network: URLSession
/// reads a socket until it is empty before it cancels.
final class ResponseCollector: NSObject, URLSessionDataDelegate, Sendable {
    typealias Continuation = CheckedContinuation<TransportResponse, any Error>

    struct NoResponse: Error {}

    private struct Pending {
        let continuation: Continuation
        var body = Data()
    }

    /// The requests under way, by the identifier of the session's task.
    private let pending = Locked<[Int: Pending]>([:])

    /// Registers a task before it is started. The continuation is resumed exactly once.
    func expect(_ task: Int, _ continuation: Continuation) {
        pending.withLock { $0[task] = Pending(continuation: continuation) }
    }

    /// Fails a request, unless its response has arrived.
    func fail(_ task: Int) {
        complete(task) { _ in .failure(NoResponse()) }
    }

    private func complete(_ task: Int, _ result: (Data) -> Result<TransportResponse, any Error>) {
        guard let request = pending.withLock({ $0.removeValue(forKey: task) }) else { return }
        request.continuation.resume(with: result(request.body))
    }

    // MARK: URLSessionDataDelegate

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = pending.withLock { pending in
            pending[dataTask.taskIdentifier]?.body.append(data)
            return pending[dataTask.taskIdentifier].map { $0.body.count > TransportResponse.maximumBodyBytes } ?? true
        }
        guard isTooLarge else { return }
        complete(dataTask.taskIdentifier) { _ in .failure(TransportResponse.TooLarge()) }
        // On Linux, this waits until the session has read what has arrived. Meanwhile this queue must drop it.
        DispatchQueue.global(qos: .utility).async { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        complete(task.taskIdentifier) { body in
            guard error == nil, let response = task.response as? HTTPURLResponse else {
                return .failure(error ?? NoResponse())
            }
            return .success(Self.response(response, body))
        }
    }

    #if canImport(FoundationNetworking)
        /// Returns a response with status 401. On Linux, a task would otherwise wait for credentials for ever.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            complete(task.taskIdentifier) { body in
                guard let response = challenge.failureResponse as? HTTPURLResponse else {
                    return .failure(NoResponse())
                }
                return .success(Self.response(response, body))
            }
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    #endif

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private static func response(_ response: HTTPURLResponse, _ body: Data) -> TransportResponse {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return TransportResponse(status: response.statusCode, headers: headers, body: body)
    }
}
