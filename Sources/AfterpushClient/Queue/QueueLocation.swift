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

    var isOptedOut: Bool { access(optOut, F_OK) == 0 }

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

    /// Returns the names of all segments, the oldest first.
    func segments() -> [String] {
        names(endingWith: ".events").sorted()
    }

    /// Returns the names of all files with an ending, without the ending.
    func names(endingWith ending: String) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    }

    /// Returns the number of acknowledged bytes of a segment, or 0 if the file is missing or unreadable: sending events
    /// again does no harm.
    func acknowledgedOffset(of segment: String) -> Int {
        guard let text = FileManager.default.contents(atPath: acknowledged(segment)),
            let number = Int(String(decoding: text, as: UTF8.self)), number >= 0
        else { return 0 }
        return number
    }

    /// Stores the number of acknowledged bytes, atomically.
    func acknowledge(_ segment: String, upTo offset: Int) throws(FileError) {
        let draft = acknowledged(segment) + ".draft"
        let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC)
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

    /// Waits until the names of new files are on disk.
    func synchronize() {
        // Some file systems don't support this; their names are durable without it.
        guard let directory = try? OpenFile(path, O_RDONLY) else { return }
        try? directory.synchronize()
    }
}
