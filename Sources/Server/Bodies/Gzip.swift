import CZlib

/// Compresses what is sent to many, once.
enum Gzip {
    /// Nil if zlib can't, or nothing is gained.
    static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        // zlib keeps a pointer to its stream, which so must not move.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard afterpush_deflate_init(stream, MAX_WBITS + 16) == Z_OK else { return nil }
        defer { deflateEnd(stream) }
        var input = bytes
        var output = [UInt8](repeating: 0, count: Int(deflateBound(stream, uLong(bytes.count))))
        let capacity = output.count
        let result = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = uInt(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(output.count)
                return deflate(stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END else { return nil }
        let count = capacity - Int(stream.pointee.avail_out)
        return count < bytes.count ? Array(output[..<count]) : nil
    }

    /// Whether an `Accept-Encoding` takes gzip.
    static func isAccepted(_ header: String?) -> Bool {
        (header ?? "").lowercased().split(separator: ",").contains { entry in
            let words = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            guard words.first == "gzip" || words.first == "*" else { return false }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return weight > 0
        }
    }
}
