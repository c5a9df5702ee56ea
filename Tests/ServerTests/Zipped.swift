import CZlib

/// Bodies compressed by zlib.
enum Zipped {
    /// - Parameter windowBits: 31 for gzip, 15 for zlib, -15 for raw deflate.
    static func bytes(_ plain: [UInt8], windowBits: Int32) -> [UInt8] {
        var stream = z_stream()
        deflateInit2_(
            &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { deflateEnd(&stream) }
        var plain = plain
        var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(plain.count))) + 64)
        let count = output.count
        plain.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(count)
                _ = deflate(&stream, Z_FINISH)
            }
        }
        return Array(output.prefix(count - Int(stream.avail_out)))
    }
}
