package import Hummingbird
import Logging
import NIOCore

/// What is known of a request besides itself.
package struct CollectorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// Told back in `X-Request-Id`, and in every log line about the request.
    package let requestID: String
    private let channel: any Channel

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
        requestID = source.logger[metadataKey: "hb.request.id"]?.description ?? ""
        logger[metadataKey: "hb.request.id"] = nil
        logger[metadataKey: "request_id"] = "\(requestID)"
    }

    /// Closes the connection once the answer is written, instead of reading on what nobody wants.
    func closeAfterAnswer() {
        channel.close(mode: .input, promise: nil)
    }

    /// Whether the connection comes from this machine, by an address that no other can have.
    var isFromLoopback: Bool {
        guard let address = channel.remoteAddress?.ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
