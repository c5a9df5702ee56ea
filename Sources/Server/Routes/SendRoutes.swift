import AfterpushWire
import Declarations
import Events
import Hummingbird
import Ingest
import JSON
import NIOCore
import Reports

/// `POST /v1/sends`: totals of what was sent, declared by the app's server. All of a request is stored, or none.
struct SendRoutes: Sendable {
    /// Stores an app's sends and says how many are new; returns when they are durable.
    typealias Declare = @Sendable (_ sends: [DeclaredSend], _ appID: Int32) async throws -> Int

    let authentication: Authentication
    let declare: Declare
    let clock: @Sendable () -> Timestamp
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.post("v1/sends") { request, context in try await self.post(request, context) }
    }

    private func post(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let grant = try await authentication.admit(request, context, anyOf: [.send]).grant
        let sends = try await body.withBody(of: request, context) { text in
            try DeclaredSend.list(text, at: clock())
        }
        let accepted = try await declare(sends, grant.appID)
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(
                byteBuffer: ByteBuffer(
                    string: JSONText.object([
                        ("accepted", String(accepted)), ("duplicates", String(sends.count - accepted)),
                    ]))))
    }
}
