import Hummingbird
import Ingest
import Reports

/// Serves `GET /v1/export/{events|deliveries|replies}`: all rows as a stream.
///
/// An error before the first row gets a problem document. A later error closes the connection, so that an incomplete
/// file can't pass for a complete one.
struct ExportRoutes: Sendable {
    let authentication: Authentication
    let service: ExportService
    let limiter: FairShareLimiter

    func add(to router: Router<CollectorContext>) {
        router.get("v1/export/:name") { request, context in try await self.export(request, context) }
    }

    private func export(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.reader(request, context)
        guard let kind = ExportKind(rawValue: try context.parameters.require("name")) else {
            throw HTTPError(.notFound)
        }
        var values = try request.queryValues
        if values["format"] == nil, Self.wantsLines(request.headers[.accept]) { values["format"] = "ndjson" }
        let export = try ExportRequest(kind, values)
        let permit = try limiter.acquire(for: authentication.client(grant, request, context), orThrow: .exportsTooMany)
        try await service.check(export, app: grant.appID)
        let body = request.body
        return Response(
            status: .ok,
            headers: [
                .contentType: export.format.contentType, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(kind.rawValue).\(export.format.name)\"",
                // Watching the client for its end also ends the connection; a proxy must not reuse it.
                .connection: "close",
            ],
            body: ResponseBody { [service] writer in
                let writer = StreamWriter(writer, on: context.eventLoop)
                // A client that disconnects ends the query, even if the query has no row to send yet.
                try await body.consumeWithCancellationOnInboundClose { _ in
                    try await service.run(export, app: grant.appID) { try await writer.write($0) }
                    try await writer.finish()
                }
                permit.release()
            })
    }

    private static func wantsLines(_ accept: String?) -> Bool {
        let types = (accept ?? "").split(separator: ",").map { $0.prefix { $0 != ";" }.filter { $0 != " " } }
        return types.first { $0 == "text/csv" || $0 == "application/x-ndjson" } == "application/x-ndjson"
    }
}
