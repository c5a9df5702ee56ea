import Hummingbird
import Ingest
import Reports

/// Serves `GET /v1/live`: summaries of new events as server-sent events, one per second.
///
/// A stream ends when its key or session ends, and when the collector stops.
struct LiveRoutes: Sendable {
    let authentication: Authentication
    let broadcaster: LiveBroadcaster
    /// The limit on open streams, each of which holds a connection.
    let limiter: FairShareLimiter

    func add(to router: Router<CollectorContext>) {
        router.get("v1/live") { request, context in try await self.follow(request, context) }
    }

    private func follow(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.reader(request, context)
        if let unknown = try request.queryValues.keys.sorted().first {
            throw ReportError.parameter(name: unknown, detail: "is not known: the stream has no parameters")
        }
        let permit = try limiter.acquire(for: authentication.client(grant, request, context), orThrow: .streamsTooMany)
        guard let events = broadcaster.follow(app: grant.appID) else { throw SinkError.draining }
        let body = request.body
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store", .proxyBuffering: "no",
                .xContentTypeOptions: "nosniff",
                // Watching the client for its end also ends the connection; a proxy must not reuse it.
                .connection: "close",
            ],
            body: ResponseBody { writer in
                let writer = StreamWriter(writer, on: context.eventLoop)
                try await body.consumeWithCancellationOnInboundClose { _ in
                    // The time after which a browser reconnects, sent immediately so that it knows it is connected.
                    try await writer.write(Array("retry: 2000\n\n".utf8))
                    for await event in events {
                        guard try await self.isStillAuthorized(request, context) else { break }
                        try await writer.write(Array(event.utf8))
                    }
                    try await writer.finish()
                }
                permit.release()
            })
    }

    /// Whether the key or session is still valid.
    private func isStillAuthorized(_ request: Request, _ context: CollectorContext) async throws -> Bool {
        do {
            _ = try await authentication.reader(request, context)
            return true
        } catch is Problem {
            return false
        } catch {
            // The database is unavailable. Until it is back, the stream has nothing to send either.
            return !Task.isCancelled
        }
    }
}
