import HTTPTypes
import Testing

@testable import HTTPTransport
@testable import Server

/// Tests how clients are identified for rate limits.
struct ClientAddressTests {
    private static func address(_ text: String) throws -> ClientAddress {
        try #require(ClientAddress(text: text))
    }

    @Test func `networks contain only their addresses`() throws {
        let list = try AddressList("10.0.0.0/8, 192.168.1.7, 2001:db8::/32, ::1")
        for text in ["10.0.0.1", "10.255.255.255", "192.168.1.7", "2001:db8:1::5", "::1", "::ffff:10.1.1.1"] {
            #expect(list.contains(try Self.address(text)), "\(text)")
        }
        for text in ["11.0.0.1", "192.168.1.8", "2001:db9::1", "::2", "127.0.0.1"] {
            #expect(!list.contains(try Self.address(text)), "\(text)")
        }
        #expect(AddressList.loopback.contains(try Self.address("127.8.8.8")))
        #expect(AddressList.loopback.contains(try Self.address("::1")))
        #expect(!AddressList.loopback.contains(try Self.address("128.0.0.1")))
        #expect(!(try AddressList("none")).contains(try Self.address("127.0.0.1")))
        for text in ["10.0.0.0/33", "ten", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/-1"] {
            #expect(throws: AddressList.Invalid.self) { try AddressList(text) }
        }
    }

    @Test func `a subscriber is an IPv4 address or 56 bits of an IPv6 address`() throws {
        #expect(try Self.address("1.2.3.4").subscriber != Self.address("1.2.3.5").subscriber)
        #expect(try Self.address("2001:db8::1").subscriber == Self.address("2001:db8::ffff:2").subscriber)
        #expect(try Self.address("2001:db8:0:1::1").subscriber == Self.address("2001:db8:0:ff::1").subscriber)
        #expect(try Self.address("2001:db8:0:1::1").subscriber != Self.address("2001:db8:0:100::1").subscriber)
        #expect(try Self.address("::1").subscriber != Self.address("::2").subscriber)
        #expect(try Self.address("::ffff:1.2.3.4") == Self.address("1.2.3.4"))
    }

    @Test func `an address is written as people write it`() throws {
        for text in ["192.0.2.1", "2001:db8::1", "::1"] { #expect(try Self.address(text).description == text) }
        #expect(try Self.address("2001:db8:0:1ff::1").subscriber.description == "2001:db8:0:100::")
    }

    @Test func `forwarded addresses are accepted only from trusted proxies`() throws {
        let finder = ClientFinder(proxies: try AddressList("10.0.0.0/8"), hasTLS: false)
        let proxy = try Self.address("10.0.0.1")
        let other = try Self.address("7.7.7.7")
        func found(_ peer: ClientAddress, _ forwarded: String?) -> ClientAddress {
            var headers = HTTPFields()
            headers[.forwardedFor] = forwarded
            return finder.address(peer: peer, headers)
        }
        #expect(found(other, "1.1.1.1") == other)
        #expect(found(proxy, nil) == proxy)
        #expect(found(proxy, "1.1.1.1") == (try Self.address("1.1.1.1")))
        // The client forged the first address; the proxy added the second.
        #expect(found(proxy, "1.1.1.1, 2.2.2.2") == (try Self.address("2.2.2.2")))
        #expect(found(proxy, "1.1.1.1, 2.2.2.2, 10.0.0.2") == (try Self.address("2.2.2.2")))
        #expect(found(proxy, "nonsense") == proxy)
        #expect(found(proxy, "1.1.1.1, nonsense, 10.0.0.2") == (try Self.address("10.0.0.2")))
    }

    @Test func `a request is local only if a program on this machine sent it to a loopback name, without a proxy`()
        throws
    {
        let (here, near, far) = (
            try Self.address("127.0.0.1"), try Self.address("10.0.0.1"), try Self.address("1.2.3.4")
        )
        let finder = ClientFinder(proxies: .none, hasTLS: false)
        func request(_ host: String? = "localhost:8080", _ field: String? = nil) -> HTTPRequest {
            var request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/metrics")
            if let name = field.flatMap({ HTTPField.Name($0) }) { request.headerFields[name] = "1.0" }
            return request
        }
        #expect(finder.isLocal(request(), peer: here))
        #expect(finder.isLocal(request("[::1]:8080", "Accept"), peer: try Self.address("::1")))
        for peer in [near, far] { #expect(!finder.isLocal(request(), peer: peer)) }
        for host in [nil, "push.example.com", "localhost.evil.example", "localhost:80@evil.example"] {
            #expect(!finder.isLocal(request(host), peer: here), "\(host ?? "none")")
        }
        // Whoever names this machine as a proxy has one here.
        #expect(!ClientFinder(proxies: .loopback, hasTLS: false).isLocal(request(), peer: here))
        let proxied = [
            "Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Anything", "CF-Connecting-IP",
            "True-Client-IP", "X-Client-IP", "X-Cluster-Client-IP", "Fastly-Client-IP", "CDN-Loop",
        ]
        for name in proxied + ["X-HTTP-Version"] {
            #expect(!finder.isLocal(request("localhost", name), peer: here), "\(name)")
        }
        for name in proxied {
            #expect(finder.isFromUnlistedProxy(request("a", name), peer: here), "\(name)")
            #expect(finder.isFromUnlistedProxy(request("a", name), peer: near), "\(name)")
            // Any client on the internet can send such a header.
            #expect(!finder.isFromUnlistedProxy(request("a", name), peer: far), "\(name)")
        }
        #expect(!finder.isFromUnlistedProxy(request("push.example.com", "X-HTTP-Version"), peer: here))
        let listed = ClientFinder(proxies: try AddressList("10.0.0.0/8"), hasTLS: false)
        #expect(!listed.isFromUnlistedProxy(request("a", "Via"), peer: near))
    }
}
