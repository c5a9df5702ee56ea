import Hummingbird
import NIOCore

/// Serves `GET /openapi.json`: all routes as an OpenAPI 3.1 document, for people and generators.
struct OpenAPIRoutes: Sendable {
    /// The document, whose bytes all responses share.
    private let document = ByteBuffer(string: PackageText.openapi_json)

    func add(to router: Router<CollectorContext>) {
        router.get("openapi.json") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-cache"],
                body: .init(byteBuffer: self.document))
        }
    }
}
