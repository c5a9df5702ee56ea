import HTTPTransport
import HTTPTypes
import Hummingbird

/// Finds out where a request comes from, behind proxies that are trusted to tell.
struct ClientFinder: Sendable {
    let proxies: AddressList

    /// The last address of `X-Forwarded-For` that no trusted proxy has: those before it are what the client says.
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
}

extension Request {
    /// Whether a proxy speaks for someone else, who may be anywhere though the proxy is on this machine.
    var wasForwarded: Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            return ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
        }
    }
}
