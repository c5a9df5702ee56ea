// Apple's SDKs have a zlib module; on Linux the package declares one.
#if canImport(zlib)
    import zlib
#else
    import CZlib
#endif

/// A zlib stream that decompresses, one step at a time.
final class InflateStream {
    enum Status {
        /// More input or more room for output is needed.
        case unfinished
        /// The last byte of the stream has been read.
        case ended
        case corrupt
    }

    // zlib keeps a pointer to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Opens a stream. Returns `nil` if memory is exhausted.
    ///
    /// - Parameter windowBits: The format, as `inflateInit2` takes it: 31 for gzip, 15 for zlib, -15 for raw deflate.
    init?(windowBits: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Swift can't call the macro inflateInit2.
        let status = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Prepares for the next gzip member. Returns false if the stream can't be used again.
    func reset() -> Bool {
        inflateReset(stream) == Z_OK
    }

    /// Decompresses as much of the input as the output has room for.
    ///
    /// - Returns: The bytes read, the bytes written, and whether the stream has ended.
    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> (read: Int, written: Int, status: Status) {
        // zlib doesn't write to its input, though its header declares it mutable.
        let start = input.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: start)
        stream.pointee.avail_in = uInt(input.count)
        stream.pointee.next_out = output.baseAddress
        stream.pointee.avail_out = uInt(output.count)
        let status: Status =
            switch inflate(stream, Z_NO_FLUSH) {
            case Z_OK, Z_BUF_ERROR: .unfinished
            case Z_STREAM_END: .ended
            default: .corrupt
            }
        return (
            read: input.count - Int(stream.pointee.avail_in), written: output.count - Int(stream.pointee.avail_out),
            status: status
        )
    }
}
