import AfterpushWire
import Events
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat

/// What the collector's speed is held against: a server that decodes the same body, answers in the same words, and keeps
/// nothing.
///
/// It decodes with Foundation's `JSONDecoder`, as a handler would that is written in an hour, or with the argument
/// `reader` as the collector does, without validating any of it.
@main
enum BareHandler {
    static func main() async throws {
        let count = CommandLine.arguments.contains("reader") ? countByReader : countByDecoder
        let router = Router()
        router.get("readyz") { _, _ in HTTPResponse.Status.ok }
        router.post("v1/events") { request, _ in
            let body = try await request.body.collect(upTo: 5 * 1024 * 1024)
            return Response(
                status: .ok, headers: [.contentType: "application/json"],
                body: .init(byteBuffer: ByteBuffer(string: answer(accepted: try count(body)))))
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

    @Sendable private static func countByDecoder(_ body: ByteBuffer) throws -> Int {
        try JSONDecoder().decode(IngestRequest.self, from: Data(buffer: body)).events.count
    }

    @Sendable private static func countByReader(_ body: ByteBuffer) throws -> Int {
        try Submission.read(Array(body.readableBytesView), as: .json).count
    }

    private static func answer(accepted: Int) -> String {
        #"{"accepted":\#(accepted),"duplicates":0,"rejected":[],"durability":"committed"}"#
    }
}
