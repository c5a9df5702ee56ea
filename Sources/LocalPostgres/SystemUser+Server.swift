import Files

extension SystemUser {
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
}
