/// An error that says why a compressed body can't be decompressed.
package enum InflateError: Error, Equatable {
    /// The body is not in its format, or other bytes follow it.
    case corrupt
    /// The body ends before its last byte.
    case truncated
    /// The body decompresses to more bytes than the limit.
    case tooLarge
    /// The decompressed body is so much larger than the compressed one that it can only be an attack.
    case tooDense
}

/// The format of compressed bytes.
package enum CompressionFormat: Sendable, Equatable {
    case gzip
    /// The zlib format or raw deflate. HTTP calls both `deflate`.
    case deflate

    // zlib's window size of 15 bits; adding 16 selects gzip, and a negative number raw deflate.
    static let gzipWindowBits: Int32 = 15 + 16
    static let zlibWindowBits: Int32 = 15
    static let rawWindowBits: Int32 = -15
}

/// A decompressor for a body that arrives in pieces. It fails as soon as the output is too large.
///
/// The output of one body is bounded: at most `limit` bytes, and beyond the first 256 KiB at most 100 for each byte of
/// input. Memory is bounded by the same limits.
package final class Inflater {
    /// The largest ratio of output to input beyond `floor`. Events that differ only in their ids have about 20.
    package static let densest = 100
    /// The size of output up to which the ratio is not limited: a small body of spaces is odd, but harmless.
    package static let floor = 256 * 1024

    package private(set) var output: [UInt8] = []
    private let format: CompressionFormat
    private let limit: Int
    private let scratch: UnsafeMutableBufferPointer<UInt8>
    /// The stream, once the first two bytes have shown the format.
    private var stream: InflateStream?
    private var hasEnded = false
    private var inputCount = 0
    /// The first bytes of the body, until there are enough to detect the format of `deflate`.
    private var head: [UInt8] = []

    /// Creates a decompressor.
    ///
    /// - Parameter limit: The largest size of the output in bytes.
    package init(_ format: CompressionFormat, limit: Int) {
        self.format = format
        self.limit = limit
        scratch = .allocate(capacity: 32 * 1024)
    }

    deinit {
        scratch.deallocate()
    }

    /// Decompresses the next bytes of the body.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(InflateError) {
        if let stream { return try inflate(bytes, stream) }
        head.append(contentsOf: bytes)
        guard head.count >= 2 else { return }
        guard let stream = InflateStream(windowBits: windowBits) else { throw .corrupt }
        self.stream = stream
        let start = head
        head = []
        var failure: InflateError?
        start.withUnsafeBytes { bytes in
            do throws(InflateError) { try inflate(bytes, stream) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Returns the decompressed body. Call it after the last byte.
    package func finish() throws(InflateError) -> [UInt8] {
        guard hasEnded else { throw .truncated }
        return output
    }

    /// The window size that selects the format for zlib.
    ///
    /// `deflate` means the zlib format (RFC 1950), but some clients send raw deflate: a body that doesn't begin with the
    /// two bytes of zlib's header is decompressed as raw deflate.
    private var windowBits: Int32 {
        guard format == .deflate else { return CompressionFormat.gzipWindowBits }
        let isWrapped = head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
        return isWrapped ? CompressionFormat.zlibWindowBits : CompressionFormat.rawWindowBits
    }

    private func inflate(_ bytes: UnsafeRawBufferPointer, _ stream: InflateStream) throws(InflateError) {
        guard !bytes.isEmpty else { return }
        var rest = bytes
        var hasMore: Bool
        repeat {
            if hasEnded, !rest.isEmpty { try startNextMember(stream) }
            let step = stream.step(rest, into: scratch)
            guard step.status != .corrupt else { throw .corrupt }
            rest = UnsafeRawBufferPointer(rebasing: rest[step.read...])
            inputCount += step.read
            hasEnded = step.status == .ended
            try keep(step.written)
            hasMore = step.written == scratch.count && !hasEnded
        } while !rest.isEmpty || hasMore
    }

    /// Starts the next member of a gzip body (RFC 1952, 2.2). In another format, bytes after the end are an error.
    private func startNextMember(_ stream: InflateStream) throws(InflateError) {
        guard format == .gzip, stream.reset() else { throw .corrupt }
        hasEnded = false
    }

    private func keep(_ count: Int) throws(InflateError) {
        let total = output.count + count
        guard total <= limit else { throw .tooLarge }
        guard total <= Self.floor || total <= inputCount * Self.densest else { throw .tooDense }
        output.append(contentsOf: UnsafeMutableBufferPointer(rebasing: scratch[..<count]))
    }
}
