import HTTPTransport
import HTTPTypes

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
