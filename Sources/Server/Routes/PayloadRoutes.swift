import Declarations
import Events
import Hummingbird
import Ingest

/// `POST /v1/payloads/check`: what will be seen of a payload's notifications, and the payload with receipt and campaign.
struct PayloadRoutes: Sendable {
    let authentication: Authentication
    let service: PayloadCheckService
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.post("v1/payloads/check") { request, context in
            let grant = try await self.authentication.admit(request, context, anyOf: [.send]).grant
            let order = try PayloadCheckRequest(try request.queryValues)
            let payload = try await self.body.withBody(of: request, context) { text in try PushPayload(text) }
            let answer = try await self.service.check(
                payload, order, appID: grant.appID, appName: grant.appName, requiresReceipt: grant.requiresReceipt)
            var response = Response.json(answer.json())
            response.headers[.cacheControl] = "no-store"
            return response
        }
    }
}
