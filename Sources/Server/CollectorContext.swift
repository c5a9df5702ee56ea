import HTTPTransport
import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import NIOHTTPTypes

/// What is known of a request besides itself.
package struct CollectorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Told back in `X-Request-Id`, and in every log line about the request.
    package let requestID: String
    private let channel: any Channel

    /// The other end of the connection, which may be a proxy.
    var peer: ClientAddress { ClientAddress(channel.remoteAddress) }

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? ""
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = "\(requestID)"
    }

    /// Tells a client that waits with its body to send it: whatever can be refused without it was not.
    func invite() async throws {
        try await channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }

    /// Whether the connection comes from this machine, by an address that no other can have.
    var isFromLoopback: Bool {
        guard let address = channel.remoteAddress?.ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
