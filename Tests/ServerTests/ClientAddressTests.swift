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

    @Test func `a subscriber is an IPv4 address or 64 bits of an IPv6 address`() throws {
        #expect(try Self.address("1.2.3.4").subscriber != Self.address("1.2.3.5").subscriber)
        #expect(try Self.address("2001:db8::1").subscriber == Self.address("2001:db8::ffff:2").subscriber)
        #expect(try Self.address("2001:db8:0:1::1").subscriber != Self.address("2001:db8:0:2::1").subscriber)
        #expect(try Self.address("::ffff:1.2.3.4") == Self.address("1.2.3.4"))
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

    @Test func `only loopback names and addresses are this machine's own`() {
        for host in [
            "localhost", "LOCALHOST:8080", "a.localhost", "127.0.0.1", "127.1.2.3:8080", "[::1]", "[::1]:8080",
            "0.0.0.0:8080", "[::]:8080",
        ] {
            #expect(LoopbackName.matches(host), "\(host)")
        }
        for host in [
            "", "a", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]",
        ] {
            #expect(!LoopbackName.matches(host), "\(host)")
        }
    }
}
