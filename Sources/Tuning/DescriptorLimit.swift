import Foundation

/// The process's limit on open files and connections.
package enum DescriptorLimit {
    /// The descriptors reserved for everything except client connections: the database, files and logs.
    private static let reserve = 64

    /// Raises the limit as far as the system allows. The low default is meant for programs that use `select`.
    ///
    /// - Returns: the number of client connections that leave the reserve untouched.
    package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return .max }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return max(16, Int(clamping: limit.rlim_cur) - reserve)
    }
}
