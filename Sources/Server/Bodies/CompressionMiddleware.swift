import HTTPTypes
import Hummingbird
import NIOCore
import Zlib

/// Compresses what reading routes return as text, for clients that accept gzip.
///
/// The dashboard's files are compressed once when the collector starts, and live streams not at all. Neither are
/// alerts: the length of a compressed response would tell how much of a secret address a name repeats that devices
/// chose. Nor is the export of a device, whose writes tell whether its client is still there.
struct CompressionMiddleware: RouterMiddleware {
    typealias Context = CollectorContext

    /// The size in bytes below which compressing is not worth its while.
    private static let smallest = 1_024
    /// The size up to which a body is compressed as a whole, so that its length is known.
    private static let largestWhole = 256 * 1_024

    func handle(
        _ request: Request, context: CollectorContext, next: (Request, CollectorContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard request.method == .get, request.uri.path.hasPrefix("/v1/"),
            !["/v1/alerts", "/v1/devices/"].contains(where: request.uri.path.hasPrefix), response.status == .ok,
            response.headers[.contentEncoding] == nil, Self.isText(response.headers[.contentType]),
            response.body.contentLength.map({ $0 >= Self.smallest }) ?? true
        else { return response }
        // The response depends on what the client accepts, also if this one gets it uncompressed.
        response.headers[.vary] = [response.headers[.vary], "Accept-Encoding"].compactMap(\.self).joined(
            separator: ", ")
        guard ContentCoding.acceptsGzip(request.headers[.acceptEncoding]) else { return response }
        return try await Self.compressed(response)
    }

    private static func compressed(_ response: Response) async throws -> Response {
        var response = response
        let body = response.body
        if let length = body.contentLength, length <= largestWhole {
            let whole = BodyCollector()
            try await body.write(whole)
            guard let compressed = Gzip.compress(whole.bytes) else {
                response.body = .init(byteBuffer: ByteBuffer(bytes: whole.bytes))
                return response
            }
            response.body = .init(byteBuffer: ByteBuffer(bytes: compressed))
        } else {
            response.body = ResponseBody { writer in
                guard let deflater = Deflater() else { throw HTTPError(.serviceUnavailable) }
                try await body.write(GzipBodyWriter(writer, deflater))
            }
        }
        response.headers[.contentEncoding] = "gzip"
        response.headers[.contentLength] = nil
        // A tag that is the same for the compressed and the plain body is weak.
        if let tag = response.headers[.eTag], !tag.hasPrefix("W/") { response.headers[.eTag] = "W/" + tag }
        return response
    }

    private static func isText(_ contentType: String?) -> Bool {
        let type = (contentType ?? "").prefix { $0 != ";" && $0 != " " }.lowercased()
        return ["application/json", "application/x-ndjson", "text/csv", "text/html", "text/markdown", "text/plain"]
            .contains(type)
    }
}

/// Collects a body in memory.
private final class BodyCollector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) async throws {
        bytes.append(contentsOf: buffer.readableBytesView)
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Compresses a body in the gzip format (RFC 1952) while it is written.
private struct GzipBodyWriter: ResponseBodyWriter {
    /// A member without a name and a time, of an unknown system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private var parent: any ResponseBodyWriter
    private let deflater: Deflater
    private var hasBegun = false

    init(_ parent: any ResponseBodyWriter, _ deflater: Deflater) {
        self.parent = parent
        self.deflater = deflater
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await send(deflater.write(Array(buffer.readableBytesView)))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        // Before the last write, which has no bytes.
        let (checksum, count) = (deflater.checksum, UInt32(truncatingIfNeeded: deflater.count))
        let end = [checksum, count].flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
        try await send(deflater.write([], isLast: true) + end)
        try await parent.finish(trailingHeaders)
    }

    private mutating func send(_ bytes: [UInt8]) async throws {
        let bytes = hasBegun ? bytes : Self.header + bytes
        hasBegun = true
        if !bytes.isEmpty { try await parent.write(ByteBuffer(bytes: bytes)) }
    }
}
