import TestSupport
import Testing

/// A request over HTTP/1.1 that hides another one in its body.
///
/// A server that reads it in another way than the server before it would answer the hidden request as well.
struct SmugglingAttack: Sendable, CustomStringConvertible {
    /// How the hidden request stands in the body.
    enum Body: Sendable {
        /// It is the body.
        case whole
        /// It follows the end of chunks, if they are read as such.
        case afterChunks
        /// It is a chunk with this size line, in which `SIZE` is the right one, if chunks are read as such.
        case chunk(String)
        /// It is where `HIDDEN` stands, if anywhere.
        case text(String)
    }

    /// What is unusual about it.
    let description: String
    var line = "POST /v1/events HTTP/1.1"
    /// The fields besides host and key; `LENGTH` stands for the length with which the hidden request is in the body or,
    /// in chunks, for the length of the first line.
    let fields: [String]
    let body: Body

    init(_ description: String, line: String = "POST /v1/events HTTP/1.1", _ fields: String..., body: Body = .whole) {
        self.description = description
        self.line = line
        self.fields = fields
        self.body = body
    }

    /// The bytes to send.
    func text(hiding hidden: String, key: String) -> String {
        var length = 0
        let content: String
        switch body {
        case .whole:
            content = hidden
            length = content.utf8.count
        case .afterChunks:
            content = "0\r\n\r\n" + hidden
            length = content.utf8.count
        case .chunk(let size):
            let first = size.replacing("SIZE", with: String(hidden.utf8.count, radix: 16)) + "\r\n"
            content = first + hidden + "\r\n0\r\n\r\n"
            length = first.utf8.count
        case .text(let text): content = text.replacing("HIDDEN", with: hidden)
        }
        let lines = [line, "Host: localhost", "Authorization: Bearer \(key)"] + fields
        return lines.map { $0.replacing("LENGTH", with: String(length)) + "\r\n" }.joined() + "\r\n" + content
    }

    /// A request that stores an event of a campaign. The proxies of these tests refuse its path.
    static func hidden(campaign: String, key: String) -> String {
        let body = """
            {"results":[{"notification_id":"\(campaign)","campaign_id":"\(campaign)","device_id":"d","provider":"apns",\
            "status":200,"occurred_at":"\(EventJSON.occurredAt)"}]}
            """
        return """
            POST \(WayIn.refusedPath) HTTP/1.1\r
            Host: localhost\r
            Authorization: Bearer \(key)\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }
}

extension SmugglingAttack {
    /// Requests that the collector itself must call malformed.
    static let ambiguous: [SmugglingAttack] = lengthsAndChunks + lengths + codings + chunks

    /// Requests that can be clear, if nothing before the collector changes them.
    static let other: [SmugglingAttack] = fields + unread

    /// A length and chunks, or what only looks like chunks.
    private static let lengthsAndChunks: [SmugglingAttack] = [
        "Transfer-Encoding: chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding : chunked",
        "Transfer-Encoding\t: chunked", "Transfer-Encoding:\tchunked", "Transfer-Encoding: \u{0B}chunked",
        "Transfer-Encoding: chunked\u{0B}", "Transfer-Encoding: chunked ", " Transfer-Encoding: chunked",
        "Transfer-Encoding:\r\n chunked", "Transfer-Encoding\r\n: chunked", "X: a\nTransfer-Encoding: chunked",
        "X: a\rTransfer-Encoding: chunked", "X: a\0Transfer-Encoding: chunked", "Transfer-Encoding: chunked\0",
        "Transfer-Encoding: identity, chunked", "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked;q=1", "Transfer-Encoding: CHUNKED", "Transfer-Encoding: ,chunked",
        "Transfer-Encoding:chunked", "Transfer-Encoding: chunk",
        "Transfer-Encoding: chunked\r\nConnection: Transfer-Encoding",
        "Transfer-Encoding: chunked\r\nConnection: Content-Length", "\u{FF}Transfer-Encoding: chunked",
    ].flatMap { field in
        [
            Self("a length, then \(field.debugDescription)", "Content-Length: LENGTH", field, body: .afterChunks),
            Self("\(field.debugDescription), then a length", field, "Content-Length: LENGTH", body: .afterChunks),
            // Read by its length, the hidden request would be one of its own.
            Self(
                "\(field.debugDescription), then a short length", field, "Content-Length: LENGTH", body: .chunk("SIZE")),
        ]
    }

    /// Lengths that contradict each other, or that are no numbers.
    private static let lengths: [SmugglingAttack] = [
        "Content-Length: 0\r\nContent-Length: LENGTH", "Content-Length: LENGTH\r\nContent-Length: 0",
        "Content-Length: 0, LENGTH", "Content-Length: LENGTH, 0", "Content-Length: +LENGTH", "Content-Length: -1",
        "Content-Length: 0xLENGTH", "Content-Length: LENGTH x", "Content-Length: 0 LENGTH", "Content-Length: ",
        "Content-Length : LENGTH", "Content-Length\u{0B}: LENGTH", "Content-Length:\r\n LENGTH",
        "X: a\r\n Content-Length: LENGTH", "X: a\nContent-Length: LENGTH", "X: a\rContent-Length: LENGTH",
        "X: a\0\r\nContent-Length: LENGTH", "Content-Length: LENGTH\0",
        "Content-Length: 18446744073709551616", "Content-Length: LENGTH.0", "Content-Length: \"LENGTH\"",
        "Content-Length: 0\r\nX: a\r\n\tContent-Length: LENGTH", "Content-Length: LENGTH;0",
    ].map { Self($0.debugDescription, $0) }

    /// Transfer codings, without a length, of which a server could know only a part.
    private static let codings: [SmugglingAttack] = [
        "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity, chunked", "Transfer-Encoding: identity",
        "Transfer-Encoding: chunked, identity", "Transfer-Encoding: chunked, chunked", "Transfer-Encoding: gzip",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
    ].map { Self("only \($0.debugDescription)", $0, body: .chunk("SIZE")) }

    /// Chunks whose sizes, extensions or ends can be read in two ways.
    private static let chunks: [SmugglingAttack] =
        [
            "0xSIZE", "+SIZE", "-SIZE", "SIZE 0", "10000000000000000SIZE", "fffffffffffffffSIZE",
            "SIZE;a=\"\n0\"", "SIZE;\n0\n", "0\n", "SIZE\n", "SIZE\r", "SIZE;a\r0", "SIZE\0", "\u{0B}SIZE", "", "g",
        ].map { Self("the chunk size \($0.debugDescription)", "Transfer-Encoding: chunked", body: .chunk($0)) }
        + [
            Self(
                "a chunk that is longer than its size", "Transfer-Encoding: chunked",
                body: .text("2\r\n[]HIDDEN\r\n0\r\n\r\n")),
            Self(
                "chunks that end with bare LF", "Transfer-Encoding: chunked",
                body: .text("2\n[]\n0\nHIDDEN\r\n0\r\n\r\n")),
            Self(
                "trailers that look like headers", "Transfer-Encoding: chunked",
                body: .text("2\r\n[]\r\n0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\nHost: b\r\n\r\n")),
        ]

    /// Fields and request lines that make a server drop or change what the next one needs.
    private static let fields: [SmugglingAttack] =
        [
            Self("another field that looks like the length", "Content_Length: 0", "Content-Length: LENGTH"),
            Self("Connection names the length", "Content-Length: LENGTH", "Connection: Content-Length"),
            Self("Connection names the host", "Content-Length: LENGTH", "Connection: close, Host"),
            Self("Keep-Alive names the length", "Content-Length: LENGTH", "Keep-Alive: Content-Length"),
            Self(
                "an upgrade to HTTP/2", "Content-Length: LENGTH", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQAAP__"),
            Self(
                "an upgrade to a web socket", "Content-Length: LENGTH", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="),
            Self("an expectation", "Content-Length: LENGTH", "Expect: 100-continue"),
            Self("an unknown expectation", "Content-Length: LENGTH", "Expect: y 100-continue"),
            Self("NUL in a name", "Content-Length: LENGTH", "X\0Y: a"),
            Self("two hosts", "Content-Length: LENGTH", "Host: other"),
            Self(
                "chunks of HTTP/1.0", line: "POST /v1/events HTTP/1.0", "Transfer-Encoding: chunked",
                "Content-Length: LENGTH", body: .afterChunks),
        ]
        + [
            "POST /v1/events", "POST /v1/events HTTP/1.9", "POST /v1/events HTTP/1.1 HTTP/1.1",
            "POST\t/v1/events HTTP/1.1", "POST /v1/events\0 HTTP/1.1", "POST /v1/events\r HTTP/1.1",
            "CONNECT localhost:80 HTTP/1.1", "POST http://other/v1/events HTTP/1.1", "POST http://other HTTP/1.1",
            "POST /v1/events /a HTTP/1.1",
        ].map { Self("the line \($0.debugDescription)", line: $0, "Content-Length: LENGTH") }

    /// Clear requests that are answered before their bodies are read, or whose bodies nobody reads.
    private static let unread: [SmugglingAttack] =
        [
            "POST /nowhere HTTP/1.1", "GET /livez HTTP/1.1", "HEAD /livez HTTP/1.1", "OPTIONS * HTTP/1.1",
            "DELETE /v1/events HTTP/1.1", "GET http://other/livez HTTP/1.1", "POST /logout HTTP/1.1",
        ].flatMap { line in
            [
                Self("a body after \(line)", line: line, "Content-Length: LENGTH"),
                Self("chunks after \(line)", line: line, "Transfer-Encoding: chunked", body: .chunk("SIZE")),
            ]
        } + [
            Self("a wrong content type", "Content-Length: LENGTH", "Content-Type: text/xml"),
            Self("a wrong content encoding", "Content-Length: LENGTH", "Content-Encoding: br"),
            Self("two keys", "Content-Length: LENGTH", "Authorization: Bearer none"),
        ]
}
