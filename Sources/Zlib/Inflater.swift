import CZlib

/// The format of compressed bytes.
package enum CompressionFormat: Sendable, Equatable {
    case gzip
    /// The zlib format or raw deflate. HTTP calls both `deflate`.
    case deflate
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
    // zlib keeps a pointer to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private let scratch: UnsafeMutableBufferPointer<UInt8>
    private var isOpen = false
    private var hasEnded = false
    private var taken = 0
    /// The first bytes of the body, until there are enough to detect the format of `deflate`.
    private var head: [UInt8] = []

    /// Creates a decompressor.
    ///
    /// - Parameter limit: The largest size of the output in bytes.
    package init(_ format: CompressionFormat, limit: Int) {
        self.format = format
        self.limit = limit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        scratch = .allocate(capacity: 32 * 1024)
    }

    deinit {
        if isOpen { inflateEnd(stream) }
        stream.deallocate()
        scratch.deallocate()
    }

    /// Decompresses the next bytes of the body.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(InflateError) {
        taken += bytes.count
        if isOpen { return try inflateAll(bytes) }
        head.append(contentsOf: bytes)
        guard head.count >= 2 else { return }
        try open(windowBits: windowBits)
        let start = head
        head = []
        var failure: InflateError?
        start.withUnsafeBytes { bytes in
            do throws(InflateError) { try inflateAll(bytes) } catch { failure = error }
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
        guard format == .deflate else { return MAX_WBITS + 16 }
        let isWrapped = head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
        return isWrapped ? MAX_WBITS : -MAX_WBITS
    }

    private func open(windowBits: Int32) throws(InflateError) {
        guard afterpush_inflate_init(stream, windowBits) == Z_OK else { throw .corrupt }
        isOpen = true
    }

    private func inflateAll(_ bytes: UnsafeRawBufferPointer) throws(InflateError) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        // zlib doesn't write to its input, though its header declares it mutable.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(bytes.count)
        repeat {
            if hasEnded { try nextMember() }
            stream.pointee.next_out = scratch.baseAddress
            stream.pointee.avail_out = uInt(scratch.count)
            let result = inflate(stream, Z_NO_FLUSH)
            guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { throw .corrupt }
            hasEnded = result == Z_STREAM_END
            try keep(scratch.count - Int(stream.pointee.avail_out))
        } while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !hasEnded)
    }

    /// Starts the next member. Only a gzip body can have several (RFC 1952, 2.2); other data after the end is an error.
    private func nextMember() throws(InflateError) {
        guard stream.pointee.avail_in > 0 else { return }
        guard format == .gzip, inflateReset(stream) == Z_OK else { throw .corrupt }
        hasEnded = false
    }

    private func keep(_ count: Int) throws(InflateError) {
        let total = output.count + count
        guard total <= limit else { throw .tooLarge }
        let read = taken - Int(stream.pointee.avail_in)
        guard total <= Self.floor || total <= read * Self.densest else { throw .tooDense }
        output.append(contentsOf: UnsafeMutableBufferPointer(rebasing: scratch[..<count]))
    }
}
