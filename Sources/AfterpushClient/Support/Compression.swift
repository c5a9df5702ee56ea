import Foundation

// Apple's SDKs have a zlib module; on Linux the package declares one.
#if canImport(zlib)
    import zlib
#else
    import CZlib
#endif

/// The functions of zlib that the library needs.
enum Compression {
    /// Returns the CRC-32 of the bytes, as gzip computes it.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: crc32(0, buffer.baseAddress, uInt(buffer.count)))
        }
    }

    /// Compresses bytes in the gzip format. Returns nil if memory is exhausted.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // Swift can't call the macro deflateInit2. Adding 16 to the window size selects the gzip format.
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, uLong(bytes.count)))
        var result = Z_OK
        let output = bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: room) { output, count in
                // zlib doesn't write to its input, though its header declares it mutable.
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(room)
                result = deflate(&stream, Z_FINISH)
                count = room - Int(stream.avail_out)
            }
        }
        return result == Z_STREAM_END ? output : nil
    }
}
