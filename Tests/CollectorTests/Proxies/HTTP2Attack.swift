import RawHTTP2
import Testing

/// A request over HTTP/2 that is malformed, or that becomes two when a server rewrites it as HTTP/1.1.
struct HTTP2Attack: Sendable, CustomStringConvertible {
    let description: String
    /// The pseudo-headers, in their order.
    var pseudo = [(":method", "POST"), (":scheme", "https"), (":path", "/v1/events"), (":authority", "localhost")]
    var fields: [(String, String)] = []
    var trailers: [(String, String)] = []
    /// Whether a proxy may drop or replace what is malformed, instead of refusing the request.
    private(set) var isNormalized = false

    init(_ description: String, _ fields: (String, String)..., trailers: [(String, String)] = []) {
        self.description = description
        self.fields = fields
        self.trailers = trailers
    }

    /// Replaces a pseudo-header.
    init(_ name: String, _ value: String?) {
        description = "\(name) \(value.map(\.debugDescription) ?? "missing")"
        pseudo = pseudo.compactMap { $0.0 == name ? value.map { (name, $0) } : $0 }
    }

    /// Adds pseudo-headers.
    init(pseudo fields: (String, String)...) {
        description = "more pseudo-headers: \(fields)"
        pseudo += fields
    }

    private func normalized() -> Self {
        var copy = self
        copy.isNormalized = true
        return copy
    }

    /// The frames of the first stream.
    ///
    /// In the fields, `LENGTH` stands for the length of the body, and `HIDDEN` for a whole request.
    func frames(body: String, hiding hidden: String, key: String) -> [UInt8] {
        let all = pseudo + [("authorization", "Bearer \(key)")] + fields
        let filled = all.map { name, value in
            (
                name.replacing("HIDDEN", with: hidden),
                value.replacing("HIDDEN", with: hidden).replacing("LENGTH", with: String(body.utf8.count))
            )
        }
        let data = HTTP2Bytes.data(stream: 1, Array(body.utf8), flags: trailers.isEmpty ? HTTP2Bytes.endStream : 0)
        return HTTP2Bytes.headers(stream: 1, fields: filled, flags: HTTP2Bytes.endHeaders) + data
            + (trailers.isEmpty ? [] : HTTP2Bytes.headers(stream: 1, fields: trailers))
    }
}

extension HTTP2Attack {
    static let all: [HTTP2Attack] =
        lengths + connectionFields + lineBreaks + pseudoHeaders + authorities + trailing

    private static let lengths: [HTTP2Attack] = [
        Self("no length for a body", ("content-length", "0")), Self("a shorter length", ("content-length", "5")),
        Self("a longer length", ("content-length", "9LENGTH")),
        Self("two lengths", ("content-length", "LENGTH"), ("content-length", "0")),
        Self("two lengths, the other way", ("content-length", "0"), ("content-length", "LENGTH")),
        Self("a list of lengths", ("content-length", "0, LENGTH")), Self("a sign", ("content-length", "+LENGTH")),
        Self("a negative length", ("content-length", "-1")), Self("no number", ("content-length", "0xLENGTH")),
        Self("a length past all numbers", ("content-length", "18446744073709551616LENGTH")),
    ]

    /// Fields that HTTP/2 forbids (RFC 9113, 8.2.2).
    private static let connectionFields: [HTTP2Attack] = [
        Self("chunks", ("transfer-encoding", "chunked")), Self("identity", ("transfer-encoding", "identity")),
        Self("chunks and a length", ("transfer-encoding", "chunked"), ("content-length", "LENGTH")),
        Self("connection", ("connection", "keep-alive")), Self("connection: close", ("connection", "close")),
        Self("connection names the length", ("connection", "content-length"), ("content-length", "LENGTH")),
        Self("keep-alive", ("keep-alive", "timeout=5")), Self("proxy-connection", ("proxy-connection", "keep-alive")),
        Self("upgrade", ("connection", "upgrade"), ("upgrade", "h2c")), Self("te", ("te", "gzip")),
        Self("an upgrade alone", ("upgrade", "websocket")),
    ].map { $0.normalized() }

    /// What would end a line, or a name, of HTTP/1.1.
    private static let lineBreaks: [HTTP2Attack] =
        [
            "a\r\ntransfer-encoding: chunked", "a\ntransfer-encoding: chunked", "a\rtransfer-encoding: chunked",
            "a\0b", "a\r\n\r\nHIDDEN", "a\n\nHIDDEN", "\r\n", " \r\n a",
        ].map { Self("the value \($0.debugDescription)", ("x", $0)) }
        + [
            "x: a\r\ntransfer-encoding", "x\r\n\r\nHIDDEN", "X-Upper", "x y", "x:y", "x\0", "", " x", "x\t", "x\n",
            "content-length ", "transfer-encoding:", "x\u{7F}",
        ].map { Self("the name \($0.debugDescription)", ($0, "chunked")) }

    private static let pseudoHeaders: [HTTP2Attack] = [
        Self(":path", nil), Self(":method", nil), Self(":scheme", nil), Self(":path", ""), Self(":method", ""),
        Self(":path", "v1/events"), Self(":path", "/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\nHIDDEN"),
        Self(":path", "/v1/events HTTP/1.1\r\nX: a"), Self(":path", "/v1/events\n"), Self(":path", "/v1/events x"),
        Self(":path", "/v1/events\0"), Self(":path", "*"), Self(":path", "/v1/events#x"),
        Self(":method", "POST \(WayIn.refusedPath) HTTP/1.1\r\nX: a"), Self(":method", "POST /"),
        Self(":method", "CONNECT"),
        Self(":method", "post\r\n"), Self(":scheme", "https://localhost\(WayIn.refusedPath)?"),
        Self(":scheme", "https\r\nX: a"), Self(":authority", "localhost\r\nX: a"), Self(":authority", "a b"),
        Self(":authority", "localhost\(WayIn.refusedPath)?"),
        Self(pseudo: (":path", WayIn.refusedPath)), Self(pseudo: (":method", "GET")), Self(pseudo: (":scheme", "http")),
        Self(pseudo: (":authority", "other")), Self(pseudo: (":unknown", "a")), Self(pseudo: (":status", "200")),
        Self("a pseudo-header after a field", ("x", "a"), (":path", "/v1/events")),
        Self("another host", ("host", "other")).normalized(),
        Self("two hosts", ("host", "localhost"), ("host", "other")).normalized(),
        Self("the same host twice", ("host", "localhost"), ("host", "localhost")).normalized(),
        Self("an empty host", ("host", "")).normalized(),
    ]

    private static let authorities: [HTTP2Attack] = [
        nil, "", "a@localhost", "localhost, other", "localhost:99999", "localhost:x", "::1",
    ].map { Self(":authority", $0).normalized() }

    private static let trailing: [HTTP2Attack] = [
        Self("a pseudo-header at the end", trailers: [(":path", WayIn.refusedPath)]),
        Self("chunks at the end", trailers: [("transfer-encoding", "chunked")]),
        Self("a line break at the end", trailers: [("x", "a\r\n\r\nHIDDEN")]),
    ]
}
