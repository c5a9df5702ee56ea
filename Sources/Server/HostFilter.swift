import HTTPTypes
import Hummingbird

/// Refuses requests that are addressed to another host than the allowed ones, before any route sees them.
///
/// A page that has its own name resolve to this server's address, or a proxy that passes on any name, can't use it then.
struct HostFilter: Sendable {
    let allowed: AllowedHosts

    func check(_ request: Request) throws(Problem) {
        // An HTTP/2 request that a proxy made from one of HTTP/1.1 can have a Host instead.
        guard allowed.contains(authority: request.head.authority ?? request.headers[.host]) else {
            throw .hostNotServed
        }
    }
}
