import HTTPTransport
import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import NIOHTTPTypes

/// The context of a request: its id, its logger and its connection.
package struct CollectorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The request's id, which is returned in `X-Request-Id` and is part of every log line about the request.
    package let requestID: String
    private let channel: any Channel

    /// The address at the other end of the connection, which may be a proxy's.
    var peer: ClientAddress { ClientAddress(channel.remoteAddress) }

    /// The same address for a line of the log.
    var peerText: String { channel.remoteAddress?.ipAddress ?? "unknown" }

    /// The event loop of the connection.
    var eventLoop: any EventLoop { channel.eventLoop }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? ""
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = .string(requestID)
    }

    /// Sends `100 Continue` to a client that waits for it before it sends the body.
    ///
    /// Call it only after all checks that don't need the body.
    func sendContinue() async throws {
        try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }
    /// Raises the rate at which the rest of a compressed body must arrive, by how much of it is in memory.
    func bodyWasDecompressed(to count: Int) {
        guard count > DecompressedBody.freeBytes else { return }
        channel.triggerUserOutboundEvent(DecompressedBody(count: count), promise: nil)
    }
}
