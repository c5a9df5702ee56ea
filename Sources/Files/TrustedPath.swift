package import Glibc

/// Checks who can replace what a path leads to, by the owners and modes of every directory from / down, and of the links.
///
/// Whoever can write to a directory can replace what is in it. With the sticky bit, as on /tmp, only the owners of what
/// is in it can.
package enum TrustedPath {
    /// A directory, a file or a link on the path that users can change who aren't trusted.
    package struct Untrusted: Error, Equatable, CustomStringConvertible {
        package enum Reason: Sendable, Equatable {
            case owner(String)
            case maker(String)
            case writableByGroup(String)
            case writableByAll
            case tooManyLinks
        }

        package let path: String
        package let reason: Reason

        package var description: String {
            switch reason {
            case .owner(let name): "\(path) belongs to \(name)"
            case .maker(let name): "\(path) belongs to \(name), in a directory where all users can make things"
            case .writableByGroup(let name): "the group \(name) can write to \(path)"
            case .writableByAll: "all users can write to \(path)"
            case .tooManyLinks: "\(path) has too many symbolic links"
            }
        }
    }

    /// Requires that only trusted users can change or replace what the path leads to.
    ///
    /// What does not exist is trusted if everything above it is. Groups are checked for root alone: those of other users
    /// are often their own.
    ///
    /// - Parameters:
    ///   - path: A path that begins with /, or in the working directory.
    ///   - owners: Who may own what the path leads to.
    ///   - above: Who may own the directories above it, and links.
    ///   - makers: Who may own what is directly in a directory with the sticky bit, where anybody can have made it; `nil` for
    ///     no further limit.
    package static func require(
        _ path: String, owners: Set<uid_t>, above: Set<uid_t>, makers: Set<uid_t>? = nil
    ) throws(Untrusted) {
        var rest = parts(path.hasPrefix("/") ? path : workingDirectory + "/" + path)
        var (directory, links) = ("", 0)
        try check("/", rest.isEmpty ? owners : above, isAbove: !rest.isEmpty)
        while let name = rest.popLast() {
            if name == ".." {
                directory = String(directory.prefix(upTo: directory.lastIndex(of: "/") ?? directory.startIndex))
                try check(directory.isEmpty ? "/" : directory, rest.isEmpty ? owners : above, isAbove: !rest.isEmpty)
                continue
            }
            let here = directory + "/" + name
            var status = stat()
            // What does not exist yet, or can't be reached.
            guard lstat(here, &status) == 0 else { return }
            if let makers, !makers.contains(status.st_uid), isShared(directory.isEmpty ? "/" : directory) {
                throw Untrusted(path: here, reason: .maker(name: status.st_uid))
            }
            guard status.st_mode & S_IFMT == S_IFLNK else {
                try check(here, status, rest.isEmpty ? owners : above, isAbove: !rest.isEmpty)
                directory = here
                continue
            }
            links += 1
            guard links <= 40 else { throw Untrusted(path: path, reason: .tooManyLinks) }
            guard above.contains(status.st_uid) else {
                throw Untrusted(path: here, reason: .owner(name: status.st_uid))
            }
            guard let target = target(of: here) else { return }
            if target.hasPrefix("/") { directory = "" }
            rest += parts(target)
        }
    }

    /// Whether users that aren't the owner can make things in a directory, but not replace each other's.
    private static func isShared(_ directory: String) -> Bool {
        var status = stat()
        let mode = lstat(directory, &status) == 0 ? status.st_mode : 0
        return mode & S_ISVTX != 0 && mode & (S_IWOTH | S_IWGRP) != 0
    }

    private static func check(_ path: String, _ trusted: Set<uid_t>, isAbove: Bool) throws(Untrusted) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        try check(path, status, trusted, isAbove: isAbove)
    }

    private static func check(
        _ path: String, _ status: stat, _ trusted: Set<uid_t>, isAbove: Bool
    ) throws(Untrusted) {
        guard trusted.contains(status.st_uid) else { throw Untrusted(path: path, reason: .owner(name: status.st_uid)) }
        // What is in it has an owner who is trusted, or does not exist yet and is checked when it does.
        if isAbove, status.st_mode & S_ISVTX != 0 { return }
        if status.st_mode & S_IWOTH != 0 { throw Untrusted(path: path, reason: .writableByAll) }
        guard SystemUser.isRoot, status.st_mode & S_IWGRP != 0 else { return }
        let (name, isTrusted) = group(status.st_gid, trusted)
        guard isTrusted else { throw Untrusted(path: path, reason: .writableByGroup(name)) }
    }

    /// Returns a group's name, and whether it is that of a trusted user and has no other members.
    private static func group(_ gid: gid_t, _ trusted: Set<uid_t>) -> (name: String, isTrusted: Bool) {
        let isOfTrusted = gid == 0 || trusted.contains { SystemUser(uid: $0)?.gid == gid }
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var buffer = [CChar](repeating: 0, count: 65_536)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, getgrgid_r(gid, &entry, start, buffer.count, &found) == 0,
                found != nil
            else { return (String(gid), isOfTrusted) }
            var isTrusted = isOfTrusted
            var member = entry.gr_mem
            while let name = member?.pointee {
                let user = SystemUser(name: String(cString: name))
                isTrusted = isTrusted && (user.map { trusted.contains($0.uid) } ?? true)
                member = member?.successor()
            }
            return (String(cString: entry.gr_name), isTrusted)
        }
    }

    /// The names in a path, last first.
    private static func parts(_ path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
            .filter { $0 != "." }.reversed()
    }

    private static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    private static var workingDirectory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}

extension TrustedPath.Untrusted.Reason {
    fileprivate static func owner(name uid: uid_t) -> Self { .owner(SystemUser(uid: uid)?.name ?? String(uid)) }
    fileprivate static func maker(name uid: uid_t) -> Self { .maker(SystemUser(uid: uid)?.name ?? String(uid)) }
}
