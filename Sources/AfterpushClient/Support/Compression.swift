import Foundation

// Apple's systems have zlib as a module of their own; on Linux the package has one for Debian's.
#if canImport(zlib)
    import zlib
#else
    import CZlib
#endif

/// What the library needs of zlib.
enum Compression {
    /// CRC-32, as gzip uses it.
    static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { buffer in
            UInt32(truncatingIfNeeded: crc32(0, buffer.baseAddress, uInt(buffer.count)))
        }
    }

    /// The bytes as gzip; nil if there is no memory for it.
    static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        // The macro deflateInit2, which Swift can't call; 16 more than the window asks for gzip.
        let status = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, uLong(bytes.count)))
        var result = Z_OK
        let output = bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: room) { output, count in
                // zlib does not write to its input; its header says so only if asked to.
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
