import Crypto
package import Events
package import Files
import Foundation
import Glibc
package import Spool

/// The suppression list as a file next to the spool or the backups.
///
/// It is reapplied after the restore of a backup that is older than an erasure.
///
/// Each line has the format version, the key, the app's name in base64, the hash and a checksum. Lines are appended in one
/// write, synced and never changed; a truncated last line is ignored. Another file has the number of lines, so that a
/// restore notices what is missing. Collectors that share the directory share the files.
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

    /// The size of a file that is not read, because it isn't one of ours: it has millions of devices.
    private static let sizeLimit = 512 << 20
    /// The length of a line that isn't one of ours.
    private static let lineLimit = 4_096

    private let directory: String
    private let name: String
    /// The name of the file with the number of lines, which may be a few too low.
    private let countName: String
    private let user: SystemUser?

    /// Creates a reference to the file, which need not exist.
    ///
    /// - Parameters:
    ///   - directory: The directory of the spool or the backups, which must not be a link.
    ///   - owner: The identifier of the database whose devices the file lists.
    ///   - user: Whose rights root uses instead of its own: those of the user who can choose or change the directory. By
    ///     default, nobody can but this program's user.
    package init(directory: String, owner: String, user: SystemUser? = nil) {
        self.directory = directory
        self.name = "suppressed-\(owner).list"
        self.countName = "suppressed-\(owner).count"
        self.user = user
    }

    /// Returns the entries, or none if there is no file.
    package func entries() throws(SpoolError) -> Set<Entry> {
        try self.withRights { () throws(RegularFile.Refused) in
            var entries: Set<Entry> = []
            do throws(RegularFile.Refused) {
                let directory = try RegularFile.openDirectory(self.directory)
                defer { close(directory) }
                let file = try RegularFile.open(self.name, in: directory, O_RDONLY)
                defer { close(file) }
                _ = try Self.visit(file) { line in
                    if let entry = Self.entry(line) { entries.insert(entry) }
                }
            } catch {
                guard error.code == ENOENT else { throw error }
            }
            return entries
        }
    }

    /// Whether there is a list.
    package var exists: Bool { FileManager.default.fileExists(atPath: "\(self.directory)/\(self.name)") }

    /// Throws if the list is missing, or if some of its lines are missing or damaged.
    package func requireWhole() throws(SpoolError) {
        try self.withRights { () throws(RegularFile.Refused) in
            let directory = try RegularFile.openDirectory(self.directory)
            defer { close(directory) }
            let file = try RegularFile.open(self.name, in: directory, O_RDONLY)
            defer { close(file) }
            var lines = 0
            var whole: Set<Entry> = []
            var other: [[UInt8]] = []
            _ = try Self.visit(file) { line in
                lines += 1
                if let entry = Self.entry(line) { whole.insert(entry) } else { other.append(line) }
            }
            guard let count = self.count(in: directory) else {
                throw RegularFile.Refused(reason: "\(self.countName) with the number of its lines is missing", code: 0)
            }
            guard lines >= count else {
                throw RegularFile.Refused(reason: "it has \(lines) of \(count) lines", code: 0)
            }
            // A crash can have cut a line short, which was then written again.
            let isDamaged =
                other.count > 1_000
                || other.contains { cut in
                    !whole.contains { Self.line($0).utf8.starts(with: cut) }
                }
            if isDamaged { throw RegularFile.Refused(reason: "a line of it is damaged", code: 0) }
        }
    }

    /// Adds the entries that are missing, and returns when they are synced to disk.
    package func add(_ entries: some Sequence<Entry>) throws(SpoolError) {
        try self.withRights { () throws(RegularFile.Refused) in
            let directory = try RegularFile.openDirectory(self.directory)
            defer { close(directory) }
            let file = try RegularFile.open(self.name, in: directory, O_RDWR | O_CREAT | O_APPEND, mode: 0o600)
            // This releases the lock, too.
            defer { close(file) }
            try Self.lock(file)
            // An entry has one form, so whole lines are compared, which is much faster than reading them.
            var missing = Set(entries.map { Array(Self.line($0).utf8).dropLast() })
            var lines = 0
            let isWhole = try Self.visit(file) { line in
                missing.remove(line[...])
                lines += 1
            }
            if !missing.isEmpty {
                let text = (isWhole ? [] : [UInt8(ascii: "\n")]) + missing.flatMap { $0 + [UInt8(ascii: "\n")] }
                guard write(file, text, text.count) == text.count, fsync(file) == 0, fsync(directory) == 0 else {
                    throw .ofSystem
                }
                lines += missing.count + (isWhole ? 0 : 1)
            }
            if self.count(in: directory) != lines { try self.record(lines, in: directory) }
        }
    }

    /// Returns the number of lines that was recorded, or `nil` if none is.
    private func count(in directory: Int32) -> Int? {
        guard let file = try? RegularFile.open(self.countName, in: directory, O_RDONLY) else { return nil }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 32)
        let length = pread(file, &text, text.count, 0)
        guard length > 0 else { return nil }
        return Int(String(decoding: text[..<length], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func record(_ lines: Int, in directory: Int32) throws(RegularFile.Refused) {
        let new = self.countName + ".new"
        unlinkat(directory, new, 0)
        let file = try RegularFile.open(new, in: directory, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        defer { close(file) }
        let text = Array("\(lines)\n".utf8)
        guard write(file, text, text.count) == text.count, fsync(file) == 0,
            renameat(directory, new, directory, self.countName) == 0, fsync(directory) == 0
        else { throw .ofSystem }
    }

    private func withRights<Value>(
        _ operations: () throws(RegularFile.Refused) -> Value
    ) throws(SpoolError) -> Value {
        do throws(RegularFile.Refused) {
            guard let user else { return try operations() }
            return try user.act(operations)
        } catch {
            throw .erasedDevices(path: "\(self.directory)/\(self.name)", reason: error.reason)
        }
    }

    /// Locks the file, for which nobody needs longer than for a write.
    private static func lock(_ file: Int32) throws(RegularFile.Refused) {
        let end = ContinuousClock.now + .seconds(2)
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < end else { throw .ofSystem }
            usleep(5_000)
        }
    }

    /// Visits the lines of a file, of which it never holds more than one.
    ///
    /// - Returns: Whether the file ends with a whole line.
    private static func visit(_ file: Int32, _ body: ([UInt8]) -> Void) throws(RegularFile.Refused) -> Bool {
        let size = Int(lseek(file, 0, SEEK_END))
        guard size >= 0 else { throw .ofSystem }
        var line: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        var position = 0
        while true {
            // It may grow meanwhile.
            guard max(position, size) <= self.sizeLimit else {
                throw .init(reason: "it is too large", code: EFBIG)
            }
            let count = pread(file, &piece, piece.count, off_t(position))
            guard count >= 0 else { throw .ofSystem }
            if count == 0 { return line.isEmpty }
            position += count
            var rest = piece[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end].prefix(self.lineLimit)
                body(line)
                line.removeAll(keepingCapacity: true)
                rest = rest[(end + 1)...]
            }
            line += rest.prefix(max(0, self.lineLimit - line.count))
        }
    }

    private static func line(_ entry: Entry) -> String {
        let app = Data(entry.app.utf8).base64EncodedString()
        let text = "1 \(hex(entry.key.bytes)) \(app) \(hex(entry.hash)) "
        return text + checksum(text.utf8) + "\n"
    }

    /// Eight digits that tell a damaged line from a whole one.
    private static func checksum(_ text: some Sequence<UInt8>) -> String {
        hex(Array(SHA256.hash(data: Array(text)).prefix(4)))
    }

    private static func entry(_ line: [UInt8]) -> Entry? {
        let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 5, words[0] == "1", let key = unhex(words[1]), let hash = unhex(words[3]),
            key.count == 32, hash.count == 32, let app = Data(base64Encoded: words[2]),
            words[4] == checksum(line.dropLast(words[4].utf8.count))
        else { return nil }
        return Entry(app: String(decoding: app, as: UTF8.self), key: DeviceKey(key), hash: hash)
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
