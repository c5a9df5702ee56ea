import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the answers to a session's requests: from where they were asked, and no more than a collector says.
///
/// What stands between a device and its collector answers, too, with pages of any size and with the way to others. An
/// extension has 24 MB for all it does, and events are for the collector alone.
///
/// On Linux the bound holds against answers that come more slowly than they are read, as from any network: there
/// URLSession reads a socket until it is empty before it cancels.
final class ResponseCollector: NSObject, URLSessionDataDelegate, Sendable {
    typealias Continuation = CheckedContinuation<TransportResponse, any Error>

    /// Enough for a batch whose every event is rejected, and for the categories of an app.
    static let mostBytes = 2 * 1024 * 1024

    struct NoAnswer: Error {}
    struct TooLong: Error {}

    private struct Waiting {
        let continuation: Continuation
        var body = Data()
    }

    /// By the task's number in its session.
    private let waiting = Locked<[Int: Waiting]>([:])

    func wait(for task: Int, _ continuation: Continuation) {
        waiting.withLock { $0[task] = Waiting(continuation: continuation) }
    }

    /// Gives up on an answer, unless it came already.
    func giveUp(_ task: Int) {
        end(task) { _ in .failure(NoAnswer()) }
    }

    private func end(_ task: Int, _ result: (Data) -> Result<TransportResponse, any Error>) {
        guard let one = waiting.withLock({ $0.removeValue(forKey: task) }) else { return }
        one.continuation.resume(with: result(one.body))
    }

    // MARK: The session's words

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = waiting.withLock { waiting in
            waiting[dataTask.taskIdentifier]?.body.append(data)
            return waiting[dataTask.taskIdentifier].map { $0.body.count > Self.mostBytes } ?? true
        }
        guard isTooLong else { return }
        end(dataTask.taskIdentifier) { _ in .failure(TooLong()) }
        dataTask.cancel()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        end(task.taskIdentifier) { body in
            guard error == nil, let response = task.response as? HTTPURLResponse else {
                return .failure(error ?? NoAnswer())
            }
            return .success(Self.answer(response, body))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    private static func answer(_ response: HTTPURLResponse, _ body: Data) -> TransportResponse {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
        return TransportResponse(status: response.statusCode, headers: headers, body: body)
    }
}
