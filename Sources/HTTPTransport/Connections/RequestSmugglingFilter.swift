import NIOCore
import NIOHTTP1

/// Refuses what the parser lets pass though two servers could read it differently (RFC 9112, 11.2), and finds the last
/// request of a connection.
final class RequestSmugglingFilter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Fired before the headers of a request that no other can follow.
    struct LastRequest {}

    private enum State {
        case open
        /// Until its end, the request that is the last.
        case last
        case closed
    }

    private var state = State.open

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .closed else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            guard state == .open, Self.isClear(head) else {
                state = .closed
                return context.fireErrorCaught(RequestReadError.malformed)
            }
            if Self.isLast(head) {
                state = .last
                context.fireUserInboundEventTriggered(LastRequest())
            }
        case .end:
            if state == .last { state = .closed }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // What follows the last request is no request, whatever the parser thinks of it.
        if state == .closed, error is HTTPParserError || error is ByteToMessageDecoderError { return }
        context.fireErrorCaught(error)
    }

    /// Whether there is one way to read it: one host, one length, and no coding of the transfer but chunks.
    static func isClear(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        guard head.version == .http1_1 || head.version == .http1_0 else { return false }
        guard hosts.count == 1 || (hosts.isEmpty && head.version == .http1_0) else { return false }
        guard head.uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        guard head.uri.hasPrefix("/") || head.uri == "*" || head.uri.contains("://") else { return false }
        let codings = head.headers["Transfer-Encoding"]
        guard let coding = codings.first else { return head.headers["Content-Length"].count <= 1 }
        return codings.count == 1 && coding.lowercased() == "chunked" && head.version == .http1_1
            && !head.headers.contains(name: "Content-Length")
    }

    /// Asked to be, older than connections that stay open, or about to speak something else.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    }
}
