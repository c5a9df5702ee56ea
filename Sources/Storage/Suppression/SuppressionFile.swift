package import Events
import Foundation
import Glibc
package import Spool

/// The suppression list as a file next to the spool.
///
/// It is reapplied after the restore of a backup that is older than an erasure.
///
/// Each line has the format version, the key, the app's name in base64 and the hash. Lines are appended in one write,
/// synced and never changed; a truncated last line is ignored. Collectors that share the directory share the file.
package struct SuppressionFile: Sendable, Equatable {
    /// An erased device, identified independently of a database.
    package struct Entry: Sendable, Hashable {
        package let app: String
        package let key: DeviceKey
        package let hash: [UInt8]

        /// Compares names by their bytes, because Swift treats some as equal that are different in the database.
        package static func == (left: Entry, right: Entry) -> Bool {
            left.hash == right.hash && left.key == right.key && Array(left.app.utf8) == Array(right.app.utf8)
        }
    }

    private let path: String

    /// Creates a reference to the file, which need not exist.
    ///
    /// - Parameters:
    ///   - directory: The spool's directory.
    ///   - owner: The identifier of the database whose devices the file lists.
    package init(directory: String, owner: String) {
        path = "\(directory)/suppressed-\(owner).list"
    }

    /// Returns the entries, or none if there is no file.
    package func entries() throws(SpoolError) -> Set<Entry> {
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT { return [] }
            throw failure()
        }
        defer { close(file) }
        return Self.entries(try read(file))
    }

    /// Adds the entries that are missing, and returns when they are synced to disk.
    package func add(_ entries: some Sequence<Entry>) throws(SpoolError) {
        let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        // This releases the lock, too.
        defer { close(file) }
        guard flock(file, LOCK_EX) == 0 else { throw failure() }
        let bytes = try read(file)
        let known = Self.entries(bytes)
        var lines = entries.filter { !known.contains($0) }.map(Self.line).joined()
        guard !lines.isEmpty else { return }
        if let last = bytes.last, last != UInt8(ascii: "\n") { lines = "\n" + lines }
        let text = Array(lines.utf8)
        guard write(file, text, text.count) == text.count, fsync(file) == 0 else { throw failure() }
        try syncDirectory()
    }

    private func syncDirectory() throws(SpoolError) {
        let directory = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw failure() }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw failure() }
    }

    private func read(_ file: Int32) throws(SpoolError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = pread(file, &piece, piece.count, off_t(bytes.count))
            guard count >= 0 else { throw failure() }
            if count == 0 { return bytes }
            bytes.append(contentsOf: piece[..<count])
        }
    }

    private func failure() -> SpoolError {
        .directory(path: path, reason: String(cString: strerror(errno)))
    }

    private static func line(_ entry: Entry) -> String {
        let app = Data(entry.app.utf8).base64EncodedString()
        return "1 \(hex(entry.key.bytes)) \(app) \(hex(entry.hash))\n"
    }

    private static func entries(_ bytes: [UInt8]) -> Set<Entry> {
        var entries: Set<Entry> = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count == 4, words[0] == "1", let key = unhex(words[1]), let hash = unhex(words[3]),
                key.count == 32, hash.count == 32, let app = Data(base64Encoded: words[2])
            else { continue }
            entries.insert(Entry(app: String(decoding: app, as: UTF8.self), key: DeviceKey(key), hash: hash))
        }
        return entries
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func unhex(_ text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
