import Glibc

/// What is left on the disk of a directory.
enum DiskSpace {
    /// Returns the bytes that the program can still write; 0 if unknown.
    static func free(at path: String) -> Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
    }
}
