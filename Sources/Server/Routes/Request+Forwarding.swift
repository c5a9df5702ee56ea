import Hummingbird

extension Request {
    /// Whether a proxy speaks for someone else, who may be anywhere though the proxy is on this machine.
    var wasForwarded: Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            return ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
        }
    }
}
