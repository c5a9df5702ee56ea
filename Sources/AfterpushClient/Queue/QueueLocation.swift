import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The directory that the processes of an app share, and the names of its files.
///
/// | file | holds |
/// | --- | --- |
/// | `NAME.events` | a segment: events that one process has appended |
/// | `NAME.sent` | the number of acknowledged bytes of the segment |
/// | `sender` | the instance that sends, and until when |
/// | `dropped` | the number of dropped events that are not yet reported |
/// | `device` | a random device id, if the app has none |
/// | `opted-out` | exists if nothing may be recorded |
///
/// Nothing in it is trusted: other programs can write to a shared directory, and a backup can be edited. What can't be
/// right counts as absent.
struct QueueLocation: Sendable {
    /// The path of the directory. Its last component has the version of the file format.
    let path: String

    init(_ directory: URL) {
        path = directory.appendingPathComponent("afterpush-1", isDirectory: true).path
    }

    var lease: String { path + "/sender" }
    var dropCounts: String { path + "/dropped" }
    var installationID: String { path + "/device" }
    var optOut: String { path + "/opted-out" }

    /// A Boolean value that says whether the person has opted out. Anything with the name of the decision counts.
    var isOptedOut: Bool { status(of: optOut) != nil }

    func events(_ segment: String) -> String { "\(path)/\(segment).events" }
    func acknowledged(_ segment: String) -> String { "\(path)/\(segment).sent" }

    /// Returns a name for a new segment. Names sort by time.
    func newName(at time: Timestamp) -> String {
        UUID.version7(at: time).uuidString.lowercased()
    }

    /// Creates the directory, accessible for this user only.
    func prepare() throws(FileError) {
        guard access(path, W_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            // Foundation's error has no number of the system; this call leaves it in errno.
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileError() }
        }
        #if canImport(Darwin)
            // Another device that is restored from a backup must not send these events.
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var url = URL(fileURLWithPath: path, isDirectory: true)
            try? url.setResourceValues(values)
        #endif
    }

    /// Returns the number of acknowledged bytes of a segment, or 0 if the file is missing or unreadable: sending events
    /// again does no harm.
    func acknowledgedOffset(of segment: String) -> Int {
        guard let text = contents(of: acknowledged(segment), limit: 32),
            let number = Int(String(decoding: text, as: UTF8.self)), number >= 0
        else { return 0 }
        return number
    }

    /// Stores the number of acknowledged bytes, atomically.
    func acknowledge(_ segment: String, upTo offset: Int) throws(FileError) {
        let draft = acknowledged(segment) + ".draft"
        let file = try openReplacing(draft, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(String(offset).utf8), at: 0)
        guard rename(draft, acknowledged(segment)) == 0 else { throw FileError() }
    }

    /// Removes a segment. The caller must hold the lock of `file`, which is open for writing.
    ///
    /// The space is free immediately, even if the process that created the segment keeps it open.
    func remove(_ segment: String, _ file: OpenFile) {
        // Truncated only after it has lost its name, so that no process reads an incomplete segment.
        if unlink(events(segment)) == 0 || errno == ENOENT { try? file.truncate(to: 0) }
        unlink(acknowledged(segment))
    }

    // MARK: Single files

    /// Returns the content of a file, or nil if it is not a regular file, can't be read, or has more bytes than `limit`.
    func contents(of path: String, limit: Int) -> [UInt8]? {
        guard let file = try? OpenFile(path, O_RDONLY), let size = try? file.state().size, size <= limit else {
            return nil
        }
        return try? file.read(at: 0, count: size)
    }

    /// Opens a file. If something else has its name, it is removed first, so that the queue works again.
    func openReplacing(_ path: String, _ flags: Int32) throws(FileError) -> OpenFile {
        do throws(FileError) {
            return try OpenFile(path, flags)
        } catch {
            guard let status = status(of: path), !status.isRegular else { throw error }
            try clear(path)
            return try OpenFile(path, flags)
        }
    }

    /// Removes whatever has a name, unless it is a directory with files. Does nothing if there is nothing.
    func clear(_ path: String) throws(FileError) {
        guard unlink(path) != 0, errno != ENOENT, rmdir(path) != 0 else { return }
        throw FileError()
    }

    /// Returns whether a path is a regular file, and its size. Returns nil if there is nothing, not even a link.
    func status(of path: String) -> (isRegular: Bool, size: Int)? {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        return (found.st_mode & S_IFMT == S_IFREG, Int(clamping: found.st_size))
    }

    // MARK: Names

    /// The number of names that are kept in memory at a time. A queue of 4 MiB has fewer segments, even if each of them
    /// has one event.
    static let pageSize = 16_384
    /// The length in bytes of the longest name, without its ending. The library's own names have 36.
    private static let longestName = 64

    /// Returns the segments whose names are greater than `last`, the oldest first: a page of them at most.
    func segments(after last: String = "") -> [String] {
        var names: [String] = []
        var end: String?
        func trim() {
            names.sort()
            if names.count > Self.pageSize { names.removeLast(names.count - Self.pageSize) }
            if names.count == Self.pageSize { end = names.last }
        }
        forEachName(endingWith: ".events") { name in
            guard name > last, end.map({ name < $0 }) ?? true else { return }
            names.append(name)
            if names.count >= 2 * Self.pageSize { trim() }
        }
        trim()
        return names
    }

    /// Calls `body` with the names of all segments, the oldest first, until it returns false.
    ///
    /// Each page reads the whole directory.
    func forEachSegment(_ body: (String) -> Bool) {
        var last = ""
        while true {
            let page = segments(after: last)
            for segment in page where !body(segment) { return }
            guard page.count == Self.pageSize, let end = page.last else { return }
            last = end
        }
    }

    /// Calls `body` with the names of all files with an ending, without the ending and in no order.
    ///
    /// The directory is read piece by piece, because nothing limits the number of its files.
    func forEachName(endingWith ending: String, _ body: (String) -> Void) {
        guard let directory = opendir(path) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                bytes.assumingMemoryBound(to: CChar.self).baseAddress.flatMap { Self.stem(of: $0, ending) }
            }
            if let name { body(name) }
        }
    }

    /// Returns a file's name without an ending, or nil if it has another ending or can't be a name of the library.
    private static func stem(of name: UnsafePointer<CChar>, _ ending: String) -> String? {
        let length = strlen(name) - ending.utf8.count
        guard (1...longestName).contains(length), strcmp(name + length, ending) == 0 else { return nil }
        return String(validatingCString: name).map { String($0.dropLast(ending.count)) }
    }

    /// Waits until the names of new files are on disk.
    func synchronize() {
        // Some file systems don't support this; their names are durable without it.
        let directory = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }
}
