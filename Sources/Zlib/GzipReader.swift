/// A decompressor for gzip files of any size and density, piece by piece. A file may have several members.
///
/// The caller supplies input with `supply` whenever `needsInput` is true, until the end of the file.
package final class GzipReader {
    /// The largest number of bytes that one call of `read` returns.
    private static let pieceSize = 256 * 1024

    private let stream: InflateStream
    private var input: [UInt8] = []
    private var position = 0
    /// Whether the stream is between two members, which is where a file may end.
    private var hasEnded = true
    /// Whether damage was found. The bytes before it have been returned, and none follow.
    private var isCorrupt = false

    /// Opens a stream. Throws `corrupt` if memory is exhausted.
    package init() throws(InflateError) {
        guard let stream = InflateStream(windowBits: CompressionFormat.gzipWindowBits) else { throw .corrupt }
        self.stream = stream
    }

    /// Whether all input has been decompressed.
    package var needsInput: Bool { !isCorrupt && position == input.count }

    /// Adds the next bytes of the file. Call it only when `needsInput` is true.
    package func supply(_ bytes: [UInt8]) {
        input = bytes
        position = 0
    }

    /// Returns the next bytes, or none if more input is needed first.
    package func read() throws(InflateError) -> [UInt8] {
        if isCorrupt { throw .corrupt }
        guard !needsInput else { return [] }
        if hasEnded { guard stream.reset() else { throw .corrupt } }
        var status = InflateStream.Status.unfinished
        let output = input.withUnsafeBytes { input in
            [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, count in
                let step = stream.step(UnsafeRawBufferPointer(rebasing: input[position...]), into: output)
                position += step.read
                count = step.written
                status = step.status
            }
        }
        hasEnded = status == .ended
        isCorrupt = status == .corrupt
        return output
    }

    /// Checks at the end of the file that the last member is complete. Throws `truncated` if it isn't.
    package func finish() throws(InflateError) {
        guard hasEnded else { throw .truncated }
    }
}
