// Apple's SDKs have a zlib module; on Linux the package declares one.
#if canImport(zlib)
    import zlib
#else
    import CZlib
#endif

/// The compression and the checksum of bytes that are completely in memory.
package enum Gzip {
    /// Returns the CRC-32 of the bytes, as gzip computes it.
    package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: crc32(0, buffer.baseAddress, uInt(buffer.count)))
        }
    }

    /// Compresses bytes in the gzip format. Returns `nil` if memory is exhausted.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        compress(bytes, windowBits: MAX_WBITS + 16)
    }

    /// Compresses bytes. Returns `nil` if memory is exhausted.
    ///
    /// - Parameter windowBits: The format, as `deflateInit2` takes it: 31 for gzip, 15 for zlib, -15 for raw deflate.
    static func compress(_ bytes: [UInt8], windowBits: Int32) -> [UInt8]? {
        // zlib keeps a pointer to its stream, so the stream must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        // Swift can't call the macro deflateInit2.
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        let capacity = Int(deflateBound(stream, uLong(bytes.count)))
        var result = Z_OK
        let output = bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                // zlib doesn't write to its input, though its header declares it mutable.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = uInt(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(capacity)
                result = deflate(stream, Z_FINISH)
                count = capacity - Int(stream.pointee.avail_out)
            }
        }
        return result == Z_STREAM_END ? output : nil
    }
}
