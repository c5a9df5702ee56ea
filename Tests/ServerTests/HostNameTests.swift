import Testing

@testable import Server

/// Tests how the host of a request is read and compared.
@Suite struct HostNameTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "a.localhost", "localhost.", "127.0.0.1", "127.1.2.3:8080", "[::1]",
        "[::1]:8080", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "0.0.0.0:8080", "[::]:8080",
    ])
    func `loopback names and addresses lead to this machine`(authority: String) {
        #expect(HostName(authority: authority)?.isLoopback == true)
    }

    @Test(arguments: [
        "a", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.1", "[::2]",
        "localhost..",
    ])
    func `other names and addresses do not`(authority: String) {
        #expect(HostName(authority: authority)?.isLoopback == false)
    }

    @Test(arguments: [
        "", ":8080", "::1", "::1:8080", "[::1", "::1]", "[localhost]", "[127.0.0.1]", "localhost:80@evil.example",
        "user@localhost", "localhost:x", "localhost:8080:8080", "a b", "localhost/", "localh\u{F6}st", "[::1]x",
    ])
    func `a text that is no host is neither loopback nor allowed`(authority: String) throws {
        #expect(HostName(authority: authority) == nil)
        #expect(!(try AllowedHosts("localhost, ::1, 127.0.0.1")).contains(authority: authority))
    }

    @Test func `a list allows its hosts at every port and in every spelling`() throws {
        let hosts = try AllowedHosts(" Push.Example.com,[2001:db8::1], 192.0.2.1 ,")
        for authority in [
            "push.example.com", "PUSH.example.com:8443", "push.example.com.", "push.example.com.:443",
            "[2001:DB8::1]:8080", "[2001:db8:0:0:0:0:0:1]", "192.0.2.1", "192.0.2.1:80",
        ] {
            #expect(hosts.contains(authority: authority), "\(authority)")
        }
        for authority in [
            nil, "", "example.com", "a.push.example.com", "push.example.com.evil.example", "[2001:db8::2]",
            "192.0.2.10", "localhost", "127.0.0.1",
        ] {
            #expect(!hosts.contains(authority: authority), "\(authority ?? "none")")
        }
    }

    @Test(arguments: ["", ",", "push.example.com:443", "https://push.example.com", "*.example.com", "a b,c/d"])
    func `a list with an entry that is no host is refused`(text: String) {
        #expect(throws: AllowedHosts.Invalid.self) { try AllowedHosts(text) }
    }
}
