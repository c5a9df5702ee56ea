import HTTPTransport
import HTTPTypes
import Hummingbird

/// Finds the address of a request's client behind trusted proxies, and whether it uses TLS.
struct ClientFinder: Sendable {
    let proxies: AddressList
    /// Whether this server itself uses TLS.
    let hasTLS: Bool

    /// Returns the last address of `X-Forwarded-For` that isn't a trusted proxy's. The client can forge earlier ones.
    func address(peer: ClientAddress, _ headers: HTTPFields) -> ClientAddress {
        guard proxies.contains(peer), let forwarded = headers[.forwardedFor] else { return peer }
        var nearest = peer
        for item in forwarded.split(separator: ",").reversed() {
            guard let address = ClientAddress(text: item.filter { $0 != " " && $0 != "\t" }) else { break }
            nearest = address
            if !proxies.contains(address) { break }
        }
        return nearest
    }

    /// Whether the client uses TLS, to this server or to a trusted proxy.
    func isSecure(peer: ClientAddress, _ headers: HTTPFields) -> Bool {
        hasTLS || proxies.contains(peer) && headers[.forwardedProtocol]?.lowercased() == "https"
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
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        return ClientAddress(text: name).map(AddressList.loopback.contains) ?? false
    }
}
