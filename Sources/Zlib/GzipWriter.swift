/// Compresses bytes piece by piece as one member of a gzip file (RFC 1952).
package final class GzipWriter {
    /// The header: the magic number, deflate, no flags, no time, no extra flags, an unknown operating system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private let deflater: Deflater
    private var hasBegun = false

    /// Opens a stream. Returns `nil` if memory is exhausted.
    package init?() {
        guard let deflater = Deflater() else { return nil }
        self.deflater = deflater
    }

    /// Compresses bytes, and returns what is complete of the file.
    package func write(_ bytes: [UInt8]) -> [UInt8] {
        let start = hasBegun ? [] : Self.header
        hasBegun = true
        return start + deflater.write(bytes)
    }

    /// Returns the rest of the file.
    package func finish() -> [UInt8] {
        let rest = (hasBegun ? [] : Self.header) + deflater.write([], isLast: true)
        // The file ends with the checksum and the size of its content, each in 32 bits, the lowest first.
        let trailer = [deflater.checksum, UInt32(truncatingIfNeeded: deflater.count)].flatMap { number in
            (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        return rest + trailer
    }
}
