import ClientFiles
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Serves `GET /client/afterpush.js`, which web pages load into their service workers.
///
/// The script contains nothing secret, so any page can load it.
struct ClientRoutes: Sendable {
    private let script: ByteBuffer
    private let tag: EntityTag

    init() {
        script = ByteBuffer(string: ClientFiles.script)
        let digest = SHA256.hash(data: Data(ClientFiles.script.utf8)).prefix(16)
        tag = EntityTag("\"\(digest.map { String(format: "%02x", $0) }.joined())\"")
    }

    func add(to router: Router<CollectorContext>) {
        router.get("client/afterpush.js") { request, _ in self.answer(to: request) }
    }

    private func answer(to request: Request) -> Response {
        var headers: HTTPFields = [
            .eTag: tag.headerValue, .cacheControl: "public, max-age=3600", .accessControlAllowOrigin: "*",
        ]
        headers[.resourcePolicy] = "cross-origin"
        if tag.isNamed(by: request.headers[.ifNoneMatch]) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = "text/javascript; charset=utf-8"
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: script))
    }
}
