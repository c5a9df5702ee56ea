import Foundation
import Glibc

/// A file system in memory that can be filled and made read-only.
final class SmallDisk: Sendable {
    struct Failed: Error {
        let reason: String
    }

    let path: String

    static var isPossible: Bool { (try? SmallDisk(megabytes: 1)) != nil }

    init(megabytes: Int) throws {
        path = FileManager.default.temporaryDirectory.path + "/afterpush-disk-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try mount(megabytes, flags: 0)
    }

    deinit {
        // Lazily, because processes can still have an open file there.
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Changes the size, or whether the disk can be written.
    ///
    /// A disk with a file open for writing can't become read-only. A child process of another test has such a file for a
    /// moment, between its fork and its exec, so this tries for ten seconds.
    func remount(megabytes: Int, readOnly: Bool = false) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            do {
                return try mount(megabytes, flags: UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0))
            } catch {
                guard ContinuousClock.now < deadline else { throw error }
                usleep(20_000)
            }
        }
    }

    private func mount(_ megabytes: Int, flags: UInt) throws {
        guard Glibc.mount("tmpfs", path, "tmpfs", flags, "size=\(megabytes)m") == 0 else {
            let reason = String(cString: strerror(errno))
            if flags == 0 { rmdir(path) }
            throw Failed(reason: reason)
        }
    }
}
