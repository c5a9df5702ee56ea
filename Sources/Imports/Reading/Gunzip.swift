import CZlib

/// Decompresses gzip in pieces of limited size, whatever the compression ratio; a file can have several members.
final class Gunzip {
    /// The maximum size of a piece in bytes.
    private static let size = 256 * 1024

    // zlib keeps a pointer to its stream, which therefore must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var taken = 0
    /// Whether the position is between members, where a file can end.
    private var hasEnded = true
    /// Whether damage was found; the bytes before it have been returned.
    private var isCorrupt = false

    init() throws(ImportError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard afterpush_inflate_init(stream, MAX_WBITS + 16) == Z_OK else { throw .gzipCorrupt }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Returns the next decompressed bytes, or none at the end of the file.
    ///
    /// - Parameter more: Returns the next bytes of the file, or none at its end.
    func read(_ more: () throws(ImportError) -> [UInt8]) throws(ImportError) -> [UInt8] {
        while true {
            if isCorrupt { throw .gzipCorrupt }
            if taken == input.count {
                input = try more()
                taken = 0
            }
            if input.isEmpty {
                guard hasEnded else { throw .gzipTruncated }
                return []
            }
            if hasEnded { guard inflateReset(stream) == Z_OK else { throw .gzipCorrupt } }
            let output = inflateNext()
            if !output.isEmpty { return output }
        }
    }

    private func inflateNext() -> [UInt8] {
        var result = Z_OK
        let stream = self.stream
        let output = input.withUnsafeBufferPointer { input in
            // zlib does not write to its input; its header says so only if asked to.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress.map { $0 + taken })
            stream.pointee.avail_in = uInt(input.count - taken)
            return [UInt8](unsafeUninitializedCapacity: Self.size) { output, count in
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = uInt(Self.size)
                result = inflate(stream, Z_NO_FLUSH)
                count = Self.size - Int(stream.pointee.avail_out)
            }
        }
        isCorrupt = ![Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(result)
        taken = input.count - Int(stream.pointee.avail_in)
        hasEnded = result == Z_STREAM_END
        return output
    }
}
