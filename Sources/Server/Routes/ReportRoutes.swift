import Executors
import HTTPTypes
import Hummingbird
import Ingest
import JSON
import NIOCore
import Reports

/// Serves `GET /v1/reports`, `GET /v1/reports/{name}` with its SQL under `/sql`, and `GET /v1/metrics/definitions`.
struct ReportRoutes: Sendable {
    let authentication: Authentication
    let service: ReportService
    /// The limit on requests that run or wait. Further ones get 503 instead of a long wait.
    let limiter: FairShareLimiter
    /// The limit on large results that wait for their clients, which can read them for hours.
    let largeResults: FairShareLimiter

    func add(to router: Router<CollectorContext>) {
        // The same for everybody, and much longer than what it takes to ask for it.
        let list = "{\"reports\":" + JSONText.array(service.catalogue.reports.map(\.json)) + "}"
        router.get("v1/reports") { request, context in
            _ = try await self.authentication.reader(request, context)
            return Response.json(list)
        }
        router.get("v1/reports/:name") { request, context in
            try await self.report(try context.parameters.require("name"), request, context)
        }
        router.get("v1/reports/:name/sql") { request, context in
            _ = try await self.authentication.reader(request, context)
            let report = try self.service.catalogue.report(named: try context.parameters.require("name"))
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .cacheControl: "private, no-cache",
                    .xContentTypeOptions: "nosniff",
                ],
                body: .init(byteBuffer: ByteBuffer(string: report.source)))
        }
        router.get("v1/metrics/definitions") { request, context in
            _ = try await self.authentication.reader(request, context)
            return Response.json("{\"definitions\":" + JSONText.array(try await self.service.definitions()) + "}")
        }
    }

    /// The reports with rows about single devices.
    private static let personal: Set = ["rejected", "replies"]

    private func report(_ name: String, _ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.viewer(request, context)
        let definition = try service.catalogue.report(named: name)
        let values = try request.queryValues
        if let view = grant.sharedView {
            let view = try SharedView(view, catalogue: service.catalogue)
            guard view.permits(definition, values) else { throw Problem.shareForbidden }
        }
        let asked = try ReportRequest(
            values, for: definition, format: Self.format(accept: request.headers[.accept]),
            formats: Self.formats)
        let client = authentication.client(grant, request, context)
        let permit = try limiter.acquire(for: client, orThrow: .reportsTooMany)
        let result = asked.view.of(
            try await service.run(definition, asked.parameters, app: grant.appID, name: grant.appName),
            for: asked.output)
        let writer = try await service.format(asked.output, of: result)
        // A weak tag, because as_of advances while the rows are the same. Each format has tags of its own.
        let tag = EntityTag("W/\"\(result.fingerprint)-\(asked.output.name)\"")
        var headers: HTTPFields = [
            .contentType: writer.contentType,
            // Texts and ids of devices must not be left in a browser after its session has ended.
            .cacheControl: Self.personal.contains(definition.name) || !definition.isBuiltIn
                ? "no-store" : "private, no-cache",
            .eTag: tag.headerValue,
            .vary: "Accept",
        ]
        if result.isTruncated { headers[.truncatedRows] = String(result.rows.count) }
        switch asked.output {
        case .xlsx: headers[.contentDisposition] = "attachment; filename=\"\(definition.name).xlsx\""
        // The page has styles of its own, and nothing else.
        case .html: headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'"
        default: break
        }
        if tag.isNamed(by: request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        if result.rows.isShort {
            // A short result is sent as a whole, which is faster and has a known length.
            var whole = ByteBuffer()
            try await writer.write(result) { whole.writeBytes($0) }
            permit.release()
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: whole))
        }
        let largePermit = result.rows.isLarge ? try largeResults.acquire(for: client, orThrow: .resultsTooLarge) : nil
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { body in
                let body = StreamWriter(body, on: context.eventLoop)
                // Ten thousand rows as a workbook keep a processor busy for half a second.
                try await withTaskExecutorPreference(BusyExecutor.shared) {
                    try await writer.write(result) { try await body.write($0) }
                }
                try await body.finish()
                permit.release()
                largePermit?.release()
            })
    }

    private static let formats = ReportOutput.names.filter { $0 != "table" }

    /// Returns the name of the format that the Accept header prefers, or else JSON.
    private static func format(accept: String?) -> String {
        for type in types(accept) {
            switch type {
            case "text/csv", "text/*": return "csv"
            case "application/x-ndjson": return "ndjson"
            case "text/markdown": return "markdown"
            case WorkbookFormat().contentType: return "xlsx"
            case "application/json", "application/*", "*/*": return "json"
            default: continue
            }
        }
        return "json"
    }

    /// Returns the media types of an Accept header, the most preferred first, without those with a weight of 0.
    private static func types(_ accept: String?) -> [String] {
        let weighed = (accept ?? "").split(separator: ",").enumerated().map { place, entry in
            let words = entry.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (type: words.first ?? "", weight: weight, place: place)
        }
        return weighed.filter { $0.weight > 0 }.sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }.map(\.type)
    }
}
