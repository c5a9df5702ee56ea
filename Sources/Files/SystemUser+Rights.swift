import Glibc

extension SystemUser {
    /// Runs operations on a file: with the rights of this user instead of root's, if a directory above the file belongs
    /// to the user.
    ///
    /// The owner of a directory can replace what is in it with links at any time. With the owner's rights, such a link
    /// gives access to nothing that the owner can't access, and new files belong to the owner.
    ///
    /// - Parameter path: The absolute path of the file, without symbolic links. It must come from somebody whom root
    ///   trusts: outside of the user's directories, root's rights are kept.
    package func act<Value, Failure: Error>(
        at path: String, _ operations: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        guard owns(aDirectoryAbove: path) else { return try operations() }
        return try act(operations)
    }

    /// Runs operations on files with the rights of this user instead of root's, for paths that the user can choose.
    package func act<Value, Failure: Error>(_ operations: () throws(Failure) -> Value) throws(Failure) -> Value {
        guard Self.isRoot, uid != 0 else { return try operations() }
        FileRights.set(uid: uid, gid: gid)
        defer { FileRights.set(uid: geteuid(), gid: getegid()) }
        return try operations()
    }

    private func owns(aDirectoryAbove path: String) -> Bool {
        var end = path.startIndex
        // From the root, so that every directory is reached through those of others than the user.
        while let slash = path[end...].dropFirst().firstIndex(of: "/") {
            end = slash
            var status = stat()
            if stat(String(path[..<slash]), &status) == 0, status.st_uid == uid { return true }
        }
        return false
    }
}

/// The rights with which the calling thread uses files; those of other threads stay as they are.
private enum FileRights {
    private typealias Setter = @convention(c) (UInt32) -> Int32

    static func set(uid: uid_t, gid: gid_t) {
        // In this order, because only root can change the group.
        if uid == 0 { Self.call("setfsuid", uid) }
        Self.call("setfsgid", gid)
        if uid != 0 { Self.call("setfsuid", uid) }
    }

    /// Swift's module of glibc leaves these functions out. They return the former ID, and no error.
    private static func call(_ name: String, _ id: UInt32) {
        guard let found = dlsym(nil, name) else { preconditionFailure("there is no \(name)") }
        let setter = unsafeBitCast(found, to: Setter.self)
        _ = setter(id)
        // An ID that can't be set returns the present one: continuing with root's rights would be wrong.
        precondition(setter(id) == Int32(bitPattern: id), "\(name) failed")
    }
}
