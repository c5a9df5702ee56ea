import Glibc

/// An account of the operating system.
struct SystemUser: Sendable, Equatable {
    let name: String
    let uid: uid_t
    let gid: gid_t

    static var isRoot: Bool { geteuid() == 0 }

    /// The account this program runs as.
    static var current: SystemUser {
        SystemUser(uid: geteuid()) ?? SystemUser(name: String(geteuid()), uid: geteuid(), gid: getegid())
    }

    /// Returns the account that runs a new cluster: this account, or an unprivileged one if this is root.
    ///
    /// - Parameter wanted: The configured name, which only root can use.
    static func forServer(wanted: String?) throws(LocalClusterError) -> SystemUser {
        guard Self.isRoot else { return .current }
        if let wanted {
            guard let user = SystemUser(name: wanted), user.uid != 0 else { throw .noSuchUser(wanted) }
            return user
        }
        guard let user = SystemUser(name: "postgres") ?? SystemUser(name: "nobody") else {
            throw .noSuchUser("postgres")
        }
        return user
    }

    init?(name: String) {
        self.init { getpwnam_r(name, $0, $1, $2, $3) }
    }

    init?(uid: uid_t) {
        self.init { getpwuid_r(uid, $0, $1, $2, $3) }
    }

    init(name: String, uid: uid_t, gid: gid_t) {
        (self.name, self.uid, self.gid) = (name, uid, gid)
    }

    private init?(
        _ lookUp: (
            UnsafeMutablePointer<passwd>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<passwd>?>
        ) -> Int32
    ) {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        let user = buffer.withUnsafeMutableBufferPointer { buffer -> SystemUser? in
            guard let start = buffer.baseAddress, lookUp(&entry, start, buffer.count, &found) == 0, found != nil
            else { return nil }
            return SystemUser(name: String(cString: entry.pw_name), uid: entry.pw_uid, gid: entry.pw_gid)
        }
        guard let user else { return nil }
        self = user
    }
}
