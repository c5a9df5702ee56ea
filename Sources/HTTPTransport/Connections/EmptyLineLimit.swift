import NIOCore

/// Limits the empty lines before a request over HTTP/1.1, of which a server ignores some (RFC 9112, 2.2).
///
/// The parser ignores any number of them, as long as the headers have time to arrive.
final class EmptyLineLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The most bytes of empty lines. Four can be the end of headers whose beginning came with the previous request.
    private static let most = 16
    private static let carriageReturn = UInt8(ascii: "\r")
    private static let lineFeed = UInt8(ascii: "\n")

    private var isBetweenRequests = true
    private var count = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isBetweenRequests {
            let bytes = unwrapInboundIn(data).readableBytesView
            let text = bytes.firstIndex { $0 != Self.carriageReturn && $0 != Self.lineFeed }
            count += bytes.distance(from: bytes.startIndex, to: text ?? bytes.endIndex)
            // What follows is not read either.
            if count > Self.most { return context.fireErrorCaught(RequestReadError.malformed) }
            if text != nil { requestBegan() }
        }
        context.fireChannelRead(data)
    }

    /// Notes that the bytes of a request are read, empty lines included.
    func requestBegan() {
        isBetweenRequests = false
        count = 0
    }

    func requestEnded() {
        isBetweenRequests = true
        count = 0
    }
}
