import CZlib

/// Decompresses gzip piece by piece, however dense it is; members may follow each other.
final class Gunzip {
    /// Bytes that a piece has at most.
    private static let size = 256 * 1024

    // zlib keeps a pointer to its stream, which so must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var input: [UInt8] = []
    private var taken = 0
    /// Between members, which is where a file may end.
    private var hasEnded = true
    /// What stood before the damage has been handed out, and nothing follows.
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

    /// The next bytes; none at the end of the file.
    ///
    /// - Parameter more: the next bytes of the file; none at its end.
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
