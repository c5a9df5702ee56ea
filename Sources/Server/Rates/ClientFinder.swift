import HTTPTransport
import HTTPTypes

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
