import Foundation
import Glibc

/// Directories of many files, and the programs that work in them.
enum FileTree {
    /// Returns the size of all files in bytes.
    static func size(_ directory: String) -> Int {
        guard
            let files = FileManager.default.enumerator(
                at: URL(fileURLWithPath: directory), includingPropertiesForKeys: [.fileSizeKey])
        else { return 0 }
        return files.reduce(0) { sum, file in
            sum + ((try? (file as? URL)?.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0)
        }
    }

    /// Gives two files or directories each other's names in one step; returns false, with `errno`, if that failed.
    static func exchange(_ one: String, _ other: String) -> Bool {
        typealias Rename = @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
        // Swift's module of glibc leaves renameat2 out. Its flag 2 is RENAME_EXCHANGE.
        guard let found = dlsym(nil, "renameat2") else {
            errno = ENOSYS
            return false
        }
        return unsafeBitCast(found, to: Rename.self)(AT_FDCWD, one, AT_FDCWD, other, 2) == 0
    }

    static func requireSpace(_ bytes: Int, in directory: String) throws(BackupError) {
        var status = statvfs()
        guard statvfs(directory, &status) == 0 else { return }
        let free = Int(clamping: status.f_bavail) * Int(clamping: status.f_frsize)
        guard free >= bytes else { throw .noSpace(directory: directory, needed: bytes, free: free) }
    }

    /// Removes a file, or a directory with all that is in it.
    ///
    /// The directory can belong to a user who puts a symbolic link in the place of one of its directories in the
    /// meantime. Then the link is removed, and not what it names: each name is looked up in an open directory.
    static func unlink(_ path: String) throws(LocalClusterError) {
        let url = URL(fileURLWithPath: path)
        let parent = Glibc.open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try PrivateFiles.check(parent >= 0, path)
        defer { Glibc.close(parent) }
        try Self.unlink(Array(url.lastPathComponent.utf8CString), in: parent, path)
    }

    /// Removes what a directory has under a name, which may be any bytes.
    private static func unlink(_ name: [CChar], in parent: Int32, _ path: String) throws(LocalClusterError) {
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0, let directory = fdopendir(descriptor) else {
            try PrivateFiles.check(errno == ENOTDIR || errno == ELOOP, path)
            return try PrivateFiles.check(unlinkat(parent, name, 0) == 0, path)
        }
        defer { closedir(directory) }
        for inner in Self.names(in: directory) { try Self.unlink(inner, in: descriptor, path) }
        try PrivateFiles.check(unlinkat(parent, name, AT_REMOVEDIR) == 0, path)
    }

    private static func names(in directory: OpaquePointer) -> [[CChar]] {
        var names: [[CChar]] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                Array(bytes.prefix { $0 != 0 }.map { CChar(bitPattern: $0) }) + [0]
            }
            let dot = CChar(bitPattern: UInt8(ascii: "."))
            if name != [dot, 0], name != [dot, dot, 0] { names.append(name) }
        }
        return names
    }

    /// Ends the programs of PostgreSQL in a directory or below, which a killed command has left behind.
    static func endPrograms(in directory: String) async throws {
        let directory = PrivateFiles.resolved(directory)
        let end = ContinuousClock.now + .seconds(30)
        while true {
            let left = Self.programs(in: directory)
            if left.isEmpty { return }
            guard ContinuousClock.now < end else { throw LocalClusterError.orphans(left) }
            for pid in left { kill(pid, SIGKILL) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static let names: Set<String> = [
        "postgres", "pg_basebackup", "pg_verifybackup", "pg_upgrade", "pg_ctl", "pg_dump", "pg_dumpall", "pg_restore",
        "pg_resetwal", "pg_controldata", "pg_waldump", "initdb", "psql", "vacuumdb", "cp", "gzip", "setpriv",
    ]

    private static func programs(in directory: String) -> [Int32] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { Int32($0) }.filter { pid in
            guard
                let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/cwd"),
                place == directory || place.hasPrefix(directory + "/"),
                let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let start = stat.firstIndex(of: "("), let end = stat.lastIndex(of: ")")
            else { return false }
            let state = stat[end...].dropFirst(2).first
            return state != "Z" && Self.names.contains(String(stat[stat.index(after: start)..<end]))
        }
    }
}
