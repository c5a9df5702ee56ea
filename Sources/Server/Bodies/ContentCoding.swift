import Zlib

/// The compression of a request's body.
enum ContentCoding: Sendable, Equatable {
    case identity, gzip, deflate

    /// The value of `Accept-Encoding` in a response that refuses a coding (RFC 9110, 12.5.3).
    static let accepted = "gzip, deflate"

    /// The format to decompress, or `nil` if the body is not compressed.
    var format: CompressionFormat? {
        switch self {
        case .identity: nil
        case .gzip: .gzip
        case .deflate: .deflate
        }
    }

    /// Parses the value of `Content-Encoding`, in which several fields are joined by commas.
    init(header: String?) throws(ContentCodingError) {
        var codings: [ContentCoding] = []
        for word in (header ?? "").utf8.split(separator: UInt8(ascii: ",")) {
            switch String(decoding: word, as: UTF8.self).filter({ $0 != " " && $0 != "\t" }).lowercased() {
            case "", "identity": continue
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            default: throw .unknown
            }
        }
        guard codings.count <= 1 else { throw .nested }
        self = codings.first ?? .identity
    }
}

extension ContentCoding {
    /// Returns whether the client accepts gzip, by the value of its `Accept-Encoding` header.
    static func acceptsGzip(_ header: String?) -> Bool {
        (header ?? "").lowercased().split(separator: ",").contains { entry in
            let words = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard words.first == "gzip" || words.first == "*" else { return false }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0
        }
    }
}

/// The reason why a `Content-Encoding` is refused.
enum ContentCodingError: Error, Equatable {
    /// The coding is unknown.
    case unknown
    /// The codings are nested. No client needs that, and each layer multiplies the size to which a body can expand.
    case nested
}
