package import HTTPTypes
import JSON
import NIOCore
import NIOHTTP1

/// Refuses requests that the parser accepts although two servers could read them differently (RFC 9112, 11.2), and
/// detects the last request of a connection.
final class RequestSmugglingFilter: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// An event that is fired before the headers of a connection's last request.
    struct LastRequest {}

    private enum State {
        case open
        /// The last request is being read.
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
            if head.version == .http1_0 {
                var head = head
                head.headers.add(name: HTTPField.Name.oldVersion.rawName, value: "1.0")
                return context.fireChannelRead(wrapInboundOut(.head(head)))
            }
        case .end:
            if state == .last { state = .closed }
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Whatever follows the last request is ignored, including errors of the parser.
        if state == .closed, error is HTTPParserError || error is ByteToMessageDecoderError { return }
        context.fireErrorCaught(error)
    }

    /// Whether a request can be read in only one way: with one valid host, one length, and no transfer coding except
    /// chunked; and whether no value of a header takes long to compare.
    static func isClear(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["Host"]
        guard head.version == .http1_1 || head.version == .http1_0 else { return false }
        guard hosts.count == 1 || (hosts.isEmpty && head.version == .http1_0) else { return false }
        guard hosts.first?.isHost ?? true else { return false }
        guard head.headers.allSatisfy({ !$0.value.hasManyCombiningMarks }) else { return false }
        guard head.uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        guard head.uri.hasPrefix("/") || head.uri == "*" || isURL(head.uri, of: hosts.first) else { return false }
        let codings = head.headers["Transfer-Encoding"]
        guard let coding = codings.first else { return head.headers["Content-Length"].count <= 1 }
        return codings.count == 1 && coding.lowercased() == "chunked" && head.version == .http1_1
            && !head.headers.contains(name: "Content-Length")
    }

    /// Whether a target is a URL with the host that the request names. With another host, one server would serve the
    /// host of the URL, and another that of the header.
    private static func isURL(_ target: String, of host: String?) -> Bool {
        guard let start = target.firstRange(of: "://")?.upperBound else { return false }
        let authority = target[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return host.map { $0.lowercased() == authority.lowercased() } ?? true
    }

    /// Whether no request can follow, because the client asks to close, uses an old version, or switches protocols.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
        !head.isKeepAlive || head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    }
}

extension HTTPField.Name {
    /// A header that the server adds to a request in HTTP/1.0, because the version itself is not passed on.
    package static let oldVersion = HTTPField.Name("X-HTTP-Version") ?? .server
}
