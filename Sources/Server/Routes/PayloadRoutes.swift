package import Declarations
import Events
import Executors
import Hummingbird
import Ingest
import JSON
import Reports

/// Serves `POST /v1/payloads/check`: the findings about a payload, and the payload with its receipt and campaign.
struct PayloadRoutes: Sendable {
    let authentication: Authentication
    let service: PayloadCheckService
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.post("v1/payloads/check") { request, context in
            let admission = try await self.authentication.admit(request, context, anyOf: [.send])
            let grant = admission.grant
            let checkRequest = try PayloadCheckRequest(try request.queryValues)
            let payload = try await self.body.withBody(of: request, context, from: admission.client) { text in
                try PushPayload(text)
            }
            let answer = try await withTaskExecutorPreference(BusyExecutor.shared) {
                try await self.service.check(
                    payload, checkRequest, appID: grant.appID, appName: grant.appName,
                    requiresReceipt: grant.requiresReceipt
                ).json()
            }
            return Response.json(answer)
        }
    }
}

extension PayloadCheckResponse {
    /// Returns the response as JSON.
    ///
    /// - Parameter spread: whether each finding gets a line of its own, for people; the values are the same.
    package func json(spread: Bool = false) -> String {
        let lines = findings.map { finding in
            JSONText.object([
                ("severity", JSONText.string(finding.severity.rawValue)),
                ("code", JSONText.string(finding.code.rawValue)), ("detail", JSONText.string(finding.detail)),
            ])
        }
        let (opening, between, closing) = spread ? ("[\n  ", ",\n  ", "\n]") : ("[", ",", "]")
        let text = String(decoding: payload.json, as: UTF8.self)
        return "{\"findings\":" + opening + lines.joined(separator: between) + closing
            + (spread ? ",\n" : ",") + "\"payload\":" + text + "}"
    }
}
