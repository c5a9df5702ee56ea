import AfterpushWire
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat

/// What the collector's speed is held against: a server that decodes the same body, answers in the same words, and keeps
/// nothing.
@main
enum BareHandler {
    static func main() async throws {
        let router = Router()
        router.get("readyz") { _, _ in HTTPResponse.Status.ok }
        router.post("v1/events") { request, _ in
            let body = try await request.body.collect(upTo: 5 * 1024 * 1024)
            let posted = try JSONDecoder().decode(IngestRequest.self, from: Data(buffer: body))
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: answer(accepted: posted.events.count))))
        }
        var logger = Logger(label: "bare-handler")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil, backlog: 1_024),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                FileHandle.standardError.write(Data("bare handler: listening on http://127.0.0.1:\(port)\n".utf8))
            },
            logger: logger)
        try await application.runService()
    }

    private static func answer(accepted: Int) -> String {
        #"{"accepted":\#(accepted),"duplicates":0,"rejected":[],"durability":"committed"}"#
    }
}
