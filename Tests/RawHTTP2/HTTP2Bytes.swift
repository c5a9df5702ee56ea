/// The bytes of HTTP/2 frames (RFC 9113), valid or not.
package enum HTTP2Bytes {
    /// What a client sends first, before its SETTINGS.
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    package static let endStream: UInt8 = 0x1
    package static let endHeaders: UInt8 = 0x4

    /// Error codes of RST_STREAM and GOAWAY.
    package static let protocolError = 0x1
    package static let refusedStream = 0x7
    package static let cancel = 0x8
    package static let enhanceYourCalm = 0xB

    package static func frame(type: UInt8, flags: UInt8 = 0, stream: Int = 0, _ payload: [UInt8]) -> [UInt8] {
        Array(bigEndian(payload.count, bytes: 3)) + [type, flags] + bigEndian(stream, bytes: 4) + payload
    }

    /// The SETTINGS of a client that lets the server send so many bytes in each stream.
    package static func settings(initialWindow: Int = 65_535) -> [UInt8] {
        frame(type: 4, [0, 4] + bigEndian(initialWindow, bytes: 4))
    }

    package static func windowUpdate(stream: Int, by increment: Int) -> [UInt8] {
        frame(type: 8, stream: stream, bigEndian(increment, bytes: 4))
    }

    package static func reset(stream: Int) -> [UInt8] {
        frame(type: 3, stream: stream, bigEndian(cancel, bytes: 4))
    }

    package static func data(stream: Int, _ bytes: [UInt8], flags: UInt8 = endStream) -> [UInt8] {
        frame(type: 0, flags: flags, stream: stream, bytes)
    }

    /// A request's HEADERS.
    ///
    /// - Parameters:
    ///   - key: the API key.
    ///   - flags: whether the headers and the stream end.
    package static func headers(
        stream: Int, _ path: String, method: String = "GET", key: String? = nil, flags: UInt8 = endHeaders | endStream
    ) -> [UInt8] {
        // Literal fields without Huffman coding, whose names are in the static table (RFC 7541, appendix A).
        var fields = [(2, method), (6, "https"), (4, path), (1, "localhost")]
        if let key { fields.append((23, "Bearer " + key)) }
        let block = fields.flatMap { index, value in integer(index, prefix: 4) + string(value) }
        return frame(type: 1, flags: flags, stream: stream, block)
    }

    /// HEADERS with any fields, in their order, valid or not.
    package static func headers(
        stream: Int, fields: [(String, String)], flags: UInt8 = endHeaders | endStream
    ) -> [UInt8] {
        // Literal fields without indexing, with new names.
        let block: [UInt8] = fields.flatMap { name, value in [0] + string(name) + string(value) }
        return frame(type: 1, flags: flags, stream: stream, block)
    }

    /// A string of HPACK without Huffman coding (RFC 7541, 5.2).
    private static func string(_ text: String) -> [UInt8] {
        integer(text.utf8.count, prefix: 7) + Array(text.utf8)
    }

    /// An integer of HPACK (RFC 7541, 5.1).
    private static func integer(_ value: Int, prefix: Int) -> [UInt8] {
        let most = (1 << prefix) - 1
        guard value >= most else { return [UInt8(value)] }
        var bytes = [UInt8(most)]
        var rest = value - most
        while rest >= 0x80 {
            bytes.append(UInt8(0x80 | rest & 0x7F))
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func bigEndian(_ value: Int, bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
