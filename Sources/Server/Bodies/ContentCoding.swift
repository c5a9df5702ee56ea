import Zlib

/// How a request's body is compressed.
enum ContentCoding: Sendable, Equatable {
    case identity, gzip, deflate

    /// What to tell in `Accept-Encoding` (RFC 9110, 12.5.3).
    static let accepted = "gzip, deflate"

    /// Nil if the body is not compressed.
    var format: CompressionFormat? {
        switch self {
        case .identity: nil
        case .gzip: .gzip
        case .deflate: .deflate
        }
    }

    /// - Parameter header: the value of `Content-Encoding`; several fields joined by commas.
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

/// Why a `Content-Encoding` is not taken.
enum ContentCodingError: Error, Equatable {
    /// None of the codings that are known.
    case unknown
    /// One in another: no client has a reason to, and each layer multiplies what a byte can become.
    case nested
}
