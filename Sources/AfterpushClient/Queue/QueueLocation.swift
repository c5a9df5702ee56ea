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
/// | `NAME.events` | a segment: events, appended by the one process that made it |
/// | `NAME.sent` | how many bytes of the segment are acknowledged |
/// | `sender` | who sends now, and until when |
/// | `dropped` | how many events were dropped since that was last told |
/// | `device` | an id of the installation, if the app has none of its own |
/// | `opted-out` | there if nothing may be recorded |
struct QueueLocation: Sendable {
    /// Of the files. Its last part is the version of their format.
    let path: String

    init(_ directory: URL) {
        path = directory.appendingPathComponent("afterpush-1", isDirectory: true).path
    }

    var lease: String { path + "/sender" }
    var drops: String { path + "/dropped" }
    var device: String { path + "/device" }
    var optOut: String { path + "/opted-out" }

    var isOptedOut: Bool { access(optOut, F_OK) == 0 }

    func events(_ segment: String) -> String { "\(path)/\(segment).events" }
    func sent(_ segment: String) -> String { "\(path)/\(segment).sent" }

    /// A name that sorts by its time.
    func newName(at time: Timestamp) -> String {
        UUID.version7(at: time).uuidString.lowercased()
    }

    /// Makes the directory, for this user alone.
    func prepare() throws(FileError) {
        guard access(path, W_OK) != 0 else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            // Foundation's errors say it in words; the system says it in a number.
            if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileError() }
        }
        #if canImport(Darwin)
            // Another device must not send what this one recorded.
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            var url = URL(fileURLWithPath: path, isDirectory: true)
            try? url.setResourceValues(values)
        #endif
    }

    /// The segments, the oldest first.
    func segments() -> [String] {
        names(endingWith: ".events").sorted()
    }

    /// Names of files without the ending that they have.
    func names(endingWith ending: String) -> [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    }

    /// How many bytes of a segment are acknowledged. What can't be read counts as none: sending again changes nothing.
    func acknowledged(_ segment: String) -> Int {
        guard let text = FileManager.default.contents(atPath: sent(segment)),
            let number = Int(String(decoding: text, as: UTF8.self)), number >= 0
        else { return 0 }
        return number
    }

    /// Puts the number in place whole, or not at all.
    func acknowledge(_ segment: String, upTo offset: Int) throws(FileError) {
        let draft = sent(segment) + ".draft"
        let file = try OpenFile(draft, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(String(offset).utf8), at: 0)
        guard rename(draft, sent(segment)) == 0 else { throw FileError() }
    }

    /// Removes a segment and what is known of it. Whoever calls holds its lock, in the file that it opened to write.
    ///
    /// Its room is free at once, though the process that made it may have it open for long.
    func remove(_ segment: String, _ file: OpenFile) {
        // As long as it has its name, it is whole.
        if unlink(events(segment)) == 0 || errno == ENOENT { try? file.truncate(to: 0) }
        unlink(sent(segment))
    }

    /// Makes names in the directory as durable as what is in the files.
    func synchronize() {
        // Not every file system can; those that can't, have nothing to wait for.
        guard let directory = try? OpenFile(path, O_RDONLY) else { return }
        try? directory.synchronize()
    }
}
