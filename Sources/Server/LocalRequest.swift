import HTTPTransport
import HTTPTypes

extension ClientFinder {
    /// Whether a program on this machine sent the request itself: from a loopback address, not through a proxy, and to a
    /// loopback name.
    ///
    /// A page of another site can have its own name resolve to 127.0.0.1, and a proxy that adds no header passes on the
    /// name that its client used. Neither can make a request from this machine look like one that a person here sent.
    /// Requests in HTTP/1.0 don't count as local. They can come from nginx, which uses that version by default and may
    /// replace the name by a loopback one.
    func isLocal(_ request: HTTPRequest, peer: ClientAddress) -> Bool {
        AddressList.loopback.contains(peer) && !proxies.contains(peer) && !request.wasForwarded
            && request.headerFields[.oldVersion] == nil
            && request.authority.flatMap { HostName(authority: $0) }?.isLoopback == true
    }

    /// Whether a proxy near this server that is not trusted has forwarded the request.
    ///
    /// Any client can claim to be a proxy, so this holds only for addresses that are not on the internet.
    func isFromUnlistedProxy(_ request: HTTPRequest, peer: ClientAddress) -> Bool {
        (AddressList.loopback.contains(peer) || Self.privateNetworks.contains(peer)) && !proxies.contains(peer)
            && request.wasForwarded
    }

    private static let privateNetworks: AddressList = {
        let networks = "10.0.0.0/8, 100.64.0.0/10, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16, fc00::/7, fe80::/10"
        return (try? AddressList(networks)) ?? .none
    }()
}

extension HTTPRequest {
    /// Whether a proxy has forwarded the request. Its client can be anywhere, even if the proxy is on this machine.
    var wasForwarded: Bool {
        headerFields.contains { field in
            let name = field.name.canonicalName
            // Each request from a private network passes here, and most headers begin with other letters.
            switch name.utf8.first {
            case UInt8(ascii: "x"): return name.hasPrefix("x-forwarded-") || Self.proxyHeaders.contains(name)
            case UInt8(ascii: "c"), UInt8(ascii: "f"), UInt8(ascii: "t"), UInt8(ascii: "v"):
                return Self.proxyHeaders.contains(name)
            default: return false
            }
        }
    }

    /// The headers, besides `X-Forwarded-...`, by which proxies and content delivery networks name themselves or their
    /// client.
    private static let proxyHeaders: Set = [
        "forwarded", "via", "x-real-ip", "x-client-ip", "x-cluster-client-ip", "cf-connecting-ip", "true-client-ip",
        "fastly-client-ip", "cdn-loop",
    ]
}
