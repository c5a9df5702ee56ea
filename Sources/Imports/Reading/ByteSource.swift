import Glibc
import Zlib

/// Reads a file's bytes in order, decompressing gzip and removing a byte order mark.
///
/// It belongs to one reader, and its calls block.
final class ByteSource {
    private static let size = 256 * 1024

    private let descriptor: Int32
    private let closes: Bool
    private var gzip: GzipReader?
    /// The first bytes, read to detect the format and not yet returned by `read()`.
    private var head: [UInt8]?
    /// The first bytes of a compressed file that are yet to be decompressed.
    private var compressed: [UInt8]?
    /// The damage at which reading stopped; the bytes before it have been returned.
    private(set) var damage: ImportError?
    /// The number of bytes read from the file, before decompression.
    private(set) var position = 0

    /// Opens a file and reads enough of it to detect its format.
    ///
    /// - Parameter path: The file, or `-` for standard input.
    init(path: String) throws(ImportError) {
        closes = path != "-"
        descriptor = closes ? open(path, O_RDONLY | O_CLOEXEC) : 0
        guard descriptor >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        var first = try readFile()
        if first.starts(with: [0x1F, 0x8B]) {
            do throws(InflateError) { gzip = try GzipReader() } catch { throw .gzipCorrupt }
            compressed = first
            first = try readOn()
        }
        // A pipe may deliver only a few bytes at first; less than a line is not enough to detect the format.
        while !first.contains(UInt8(ascii: "\n")), first.count < ImportChunk.recordLimit {
            let more = try readOn()
            if more.isEmpty { break }
            first += more
        }
        if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
            throw .malformed(what: "the file is UTF-16; save it as UTF-8", line: 1)
        }
        head = first.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(first.dropFirst(3)) : first
    }

    deinit {
        if closes { close(descriptor) }
    }

    /// The first bytes, which `read()` returns again.
    var preview: [UInt8] { head ?? [] }

    /// Returns the next bytes, or none at the end of the file.
    func read() throws(ImportError) -> [UInt8] {
        if let head, !head.isEmpty {
            self.head = nil
            return head
        }
        return try readOn()
    }

    private func readOn() throws(ImportError) -> [UInt8] {
        guard let gzip else { return try readFile() }
        guard damage == nil else { return [] }
        do throws(ImportError) {
            return try decompress(gzip)
        } catch {
            damage = error
            return []
        }
    }

    /// Returns the next decompressed bytes; empty at the end of the file.
    private func decompress(_ gzip: GzipReader) throws(ImportError) -> [UInt8] {
        while true {
            if gzip.needsInput {
                let input = if let compressed { compressed } else { try readFile() }
                compressed = nil
                if input.isEmpty {
                    do throws(InflateError) { try gzip.finish() } catch { throw .gzipTruncated }
                    return []
                }
                gzip.supply(input)
            }
            let output: [UInt8]
            do throws(InflateError) { output = try gzip.read() } catch { throw .gzipCorrupt }
            if !output.isEmpty { return output }
        }
    }

    private func readFile() throws(ImportError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            var result = Glibc.read(descriptor, buffer.baseAddress, Self.size)
            while result < 0, errno == EINTR { result = Glibc.read(descriptor, buffer.baseAddress, Self.size) }
            if result < 0 { failure = errno }
            count = max(0, result)
        }
        guard failure == 0 else { throw .unreadable(String(cString: strerror(failure))) }
        position += bytes.count
        return bytes
    }

    /// Returns the size of a file in bytes, or `nil` if it is unknown.
    static func size(ofFile path: String) -> Int? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
