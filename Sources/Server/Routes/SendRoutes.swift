import AfterpushWire
import Declarations
import Events
import Hummingbird
import Ingest
import JSON
import NIOCore
import Reports

/// Serves `POST /v1/sends`: stores totals of sent notifications that the app's server declares.
///
/// Either all sends of a request are stored, or none.
struct SendRoutes: Sendable {
    let authentication: Authentication
    let store: any SendStore
    let clock: @Sendable () -> Timestamp
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.post("v1/sends") { request, context in try await self.post(request, context) }
    }

    private func post(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let admission = try await authentication.admit(request, context, anyOf: [.send])
        let grant = admission.grant
        let sends = try await body.withBody(of: request, context, from: admission.client) { text in
            try DeclaredSend.list(text, at: clock())
        }
        let accepted = try await store.declare(sends, appID: grant.appID)
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(
                byteBuffer: ByteBuffer(
                    string: JSONText.object([
                        ("accepted", String(accepted)), ("duplicates", String(sends.count - accepted)),
                    ]))))
    }
}
