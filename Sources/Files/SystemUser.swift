package import Glibc

/// An account of the operating system.
package struct SystemUser: Sendable, Equatable {
    package let name: String
    package let uid: uid_t
    package let gid: gid_t

    package static var isRoot: Bool { geteuid() == 0 }

    /// The account this program runs as.
    package static var current: SystemUser {
        SystemUser(uid: geteuid()) ?? SystemUser(name: String(geteuid()), uid: geteuid(), gid: getegid())
    }

    package init?(name: String) {
        self.init { getpwnam_r(name, $0, $1, $2, $3) }
    }

    package init?(uid: uid_t) {
        self.init { getpwuid_r(uid, $0, $1, $2, $3) }
    }

    package init(name: String, uid: uid_t, gid: gid_t) {
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
