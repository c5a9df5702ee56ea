import Foundation

/// Checks the free disk space of directories.
package enum DiskChecks {
    private static let little = 2 << 30
    private static let tooLittle = 512 << 20

    /// Returns one result for each file system, even if several directories are on it.
    package static func findings(_ directories: [String]) -> [CheckResult] {
        var seen: Set<UInt> = []
        return directories.compactMap { directory in
            var status = statvfs()
            let path = nearest(directory)
            guard statvfs(path, &status) == 0 else {
                return CheckResult(
                    "disk", .warn, "can't read the free space of \(directory)", advice: "check its permissions")
            }
            guard seen.insert(UInt(status.f_fsid)).inserted else { return nil }
            let free = Int(status.f_bavail) * Int(status.f_frsize)
            return finding(directory, free: free, of: Int(status.f_blocks) * Int(status.f_frsize))
        }
    }

    package static func finding(_ directory: String, free: Int, of all: Int) -> CheckResult {
        let share = all > 0 ? free * 100 / all : 0
        let text = "\(free >> 20) MiB free (\(share) %) for \(directory)"
        let advice = "free some space: a full disk stops PostgreSQL and the spool, and then no event is acknowledged"
        if free < tooLittle { return CheckResult("disk", .fail, text, advice: advice) }
        if free < little { return CheckResult("disk", .warn, text, advice: advice) }
        return CheckResult("disk", .ok, text)
    }

    /// Returns the directory, or its nearest existing parent.
    private static func nearest(_ directory: String) -> String {
        var url = URL(fileURLWithPath: directory).standardizedFileURL
        while !FileManager.default.fileExists(atPath: url.path), url.path != "/" { url.deleteLastPathComponent() }
        return url.path
    }
}
