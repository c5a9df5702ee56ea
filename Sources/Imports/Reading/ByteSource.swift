import Glibc

/// A file's bytes in order, decompressed if they are gzip, without a byte order mark.
///
/// Belongs to one reader; its calls block.
final class ByteSource {
    private static let size = 256 * 1024

    private let descriptor: Int32
    private let closes: Bool
    private var gunzip: Gunzip?
    /// The first bytes, read to see what they are.
    private var head: [UInt8]?
    /// The first bytes as they lie on the disk, which are still to be decompressed.
    private var compressed: [UInt8]?
    /// Why the bytes end before the file does: those that are not damaged have been read.
    private(set) var damage: ImportError?
    /// Bytes of the file that were read, as they lie on the disk.
    private(set) var position = 0

    /// - Parameter path: `-` is standard input.
    init(path: String) throws(ImportError) {
        closes = path != "-"
        descriptor = closes ? open(path, O_RDONLY | O_CLOEXEC) : 0
        guard descriptor >= 0 else { throw .unreadable(String(cString: strerror(errno))) }
        var first = try readFile()
        if first.starts(with: [0x1F, 0x8B]) {
            gunzip = try Gunzip()
            compressed = first
            first = try readOn()
        }
        // A pipe may hand over a few bytes at first: less than a line does not tell what it is.
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

    /// The first bytes, which `read` returns once more.
    var preview: [UInt8] { head ?? [] }

    /// The next bytes; none at the end of the file.
    func read() throws(ImportError) -> [UInt8] {
        if let head, !head.isEmpty {
            self.head = nil
            return head
        }
        return try readOn()
    }

    private func readOn() throws(ImportError) -> [UInt8] {
        guard let gunzip else { return try readFile() }
        guard damage == nil else { return [] }
        do throws(ImportError) {
            return try gunzip.read { () throws(ImportError) in
                guard let compressed else { return try self.readFile() }
                self.compressed = nil
                return compressed
            }
        } catch {
            damage = error
            return []
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

    /// Size of the file in bytes; nil if unknown.
    static func size(ofFile path: String) -> Int? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
