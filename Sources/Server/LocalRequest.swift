import HTTPTransport
import HTTPTypes
import Hummingbird

extension CollectorContext {
    /// Whether the connection comes from this machine, by a loopback address.
    var isFromLoopback: Bool { AddressList.loopback.contains(peer) }

    /// Whether a program on this machine sent the request itself: not through a proxy, and to a loopback name.
    func isLocal(_ request: Request) -> Bool {
        isFromLoopback && !request.wasForwarded && request.isAddressedToLoopback
    }
}

extension Request {
    /// Whether a proxy has forwarded the request. Its client can be anywhere, even if the proxy is on this machine.
    var wasForwarded: Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            return ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
        }
    }

    /// Whether the request is addressed to this machine by one of its loopback names or addresses.
    ///
    /// A page of another site can have its own name resolve to 127.0.0.1, and a proxy that adds no header passes on the
    /// name that its client used. Neither can make a request from this machine look like one that a person here sent.
    var isAddressedToLoopback: Bool { head.authority.map(LoopbackName.matches) ?? true }
}

/// The names and addresses by which a machine reaches itself.
enum LoopbackName {
    /// Whether a host, with or without a port, is a loopback name or address.
    static func matches(_ authority: String) -> Bool {
        var host = authority[...]
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.lastIndex(of: ":") {
            host = host[..<colon]
        }
        let name = host.lowercased()
        // A server on all interfaces listens on 0.0.0.0 and ::, which lead to this machine as well.
        if ["localhost", "0.0.0.0", "::"].contains(name) || name.hasSuffix(".localhost") { return true }
        return ClientAddress(text: name).map(AddressList.loopback.contains) ?? false
    }
}
