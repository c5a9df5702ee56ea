// Apple's SDKs have a zlib module; on Linux the package declares one.
#if canImport(zlib)
    import zlib
#else
    import CZlib
#endif

/// Compresses bytes piece by piece as raw deflate, as in a ZIP archive, and computes their CRC-32.
package final class Deflater {
    // zlib keeps a pointer to its stream, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// The CRC-32 of the bytes so far.
    package private(set) var checksum: UInt32 = 0
    /// The number of bytes so far, before compression.
    package private(set) var count = 0

    /// Opens a stream. Returns `nil` if memory is exhausted.
    package init?() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // Swift can't call the macro deflateInit2.
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses bytes, and returns what is complete of the output.
    ///
    /// - Parameter isLast: Whether the stream ends with these bytes.
    package func write(_ bytes: [UInt8], isLast: Bool = false) -> [UInt8] {
        count += bytes.count
        return bytes.withUnsafeBufferPointer { input in
            checksum = UInt32(truncatingIfNeeded: crc32(uLong(checksum), input.baseAddress, uInt(input.count)))
            // zlib doesn't write to its input, though its header declares it mutable.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = uInt(input.count)
            var compressed: [UInt8] = []
            repeat {
                compressed += [UInt8](unsafeUninitializedCapacity: 16_384) { output, count in
                    stream.pointee.next_out = output.baseAddress
                    stream.pointee.avail_out = uInt(output.count)
                    // With room for output, deflate can't fail.
                    _ = deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
                    count = output.count - Int(stream.pointee.avail_out)
                }
            } while stream.pointee.avail_out == 0
            return compressed
        }
    }
}
