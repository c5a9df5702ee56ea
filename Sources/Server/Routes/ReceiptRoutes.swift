import AfterpushWire
import Events
import Hummingbird
import Ingest
import JSON
import NIOCore
import Receipts
import Reports

/// Serves `POST /v1/receipts`: signs receipts for notifications that the app's server is about to send.
struct ReceiptRoutes: Sendable {
    let authentication: Authentication
    let receiptSecrets: ReceiptSecretCache
    let clock: @Sendable () -> Timestamp
    let body: JSONBody

    func add(to router: Router<CollectorContext>) {
        router.post("v1/receipts") { request, context in try await self.post(request, context) }
    }

    private func post(_ request: Request, _ context: CollectorContext) async throws -> Response {
        let admission = try await authentication.admit(request, context, anyOf: [.send])
        let grant = admission.grant
        let receiptRequest = try await body.withBody(of: request, context, from: admission.client) { text in
            try ReceiptRequest(text, app: grant.appName, at: clock())
        }
        guard let secret = try await receiptSecrets.secrets(ofApp: grant.appID).first else {
            throw Problem.noReceiptSecret
        }
        let receipts = try await receiptRequest.receipts(signedBy: secret)
        return Response(
            status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(
                byteBuffer: ByteBuffer(
                    string: JSONText.object([("receipts", JSONText.array(receipts.map(JSONText.string)))]))))
    }
}
