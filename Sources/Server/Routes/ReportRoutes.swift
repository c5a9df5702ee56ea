import Hummingbird
import Ingest
import NIOCore
import Reports

/// `GET /v1/reports`, `GET /v1/reports/{name}` and `GET /v1/metrics/definitions`.
struct ReportRoutes: Sendable {
    let authentication: Authentication
    let desk: ReportDesk

    func add(to router: Router<CollectorContext>) {
        router.get("v1/reports") { request, context in
            _ = try await self.authentication.grant(request, context, anyOf: [.read])
            return Self.json("{\"reports\":" + JSONText.array(self.desk.catalogue.reports.map(\.json)) + "}")
        }
        router.get("v1/reports/:name") { request, context in
            try await self.report(try context.parameters.require("name"), request, context)
        }
        router.get("v1/metrics/definitions") { request, context in
            _ = try await self.authentication.grant(request, context, anyOf: [.read])
            return Self.json("{\"definitions\":" + JSONText.array(try await self.desk.definitions()) + "}")
        }
    }

    private func report(_ name: String, _ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.grant(request, context, anyOf: [.read])
        let definition = try desk.catalogue.report(named: name)
        var values = try request.queryValues
        let format = try Self.format(&values, accept: request.headers[.accept])
        let parameters = try ReportParameters(validating: values, for: definition)
        let result = try await desk.run(definition, parameters, app: grant.appID, name: grant.appName)
        let writer = try await desk.format(format, of: result)
        var text = ByteBuffer()
        try await writer.write(result) { text.writeBytes($0) }
        return Response(
            status: .ok,
            headers: [.contentType: writer.contentType, .cacheControl: "no-store"],
            body: .init(byteBuffer: text))
    }

    /// The format asked for by name, else by the header Accept, else JSON. `raw` belongs to it.
    private static func format(_ values: inout [String: String], accept: String?) throws -> ReportOutput {
        let raw = values.removeValue(forKey: "raw")
        guard ["true", "false", nil].contains(raw) else {
            throw ReportError.parameter(name: "raw", detail: "is true or false")
        }
        if let name = values.removeValue(forKey: "format") {
            guard let format = ReportOutput(name: name, raw: raw == "true"), format != .table else {
                throw ReportError.parameter(name: "format", detail: "is one of json, csv, ndjson")
            }
            return format
        }
        for type in (accept ?? "").split(separator: ",") {
            switch type.prefix(while: { $0 != ";" }).filter({ $0 != " " }).lowercased() {
            case "text/csv": return .csv(raw: raw == "true")
            case "application/x-ndjson": return .ndjson
            case "application/json", "*/*": return .json
            default: continue
            }
        }
        return .json
    }

    private static func json(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
