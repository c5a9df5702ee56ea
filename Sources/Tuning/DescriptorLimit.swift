import Foundation

/// How many files and connections the process may have open.
package enum DescriptorLimit {
    /// What is kept for everything that is no client's connection: the database, files, logs.
    private static let reserve = 64

    /// Raises the limit as far as the system lets it, as a server may: the low default is for programs that use
    /// `select`.
    ///
    /// - Returns: how many clients' connections leave the reserve untouched.
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
