import HTTPTransport
import HTTPTypes
import Testing

@testable import Server

/// Tests the parts of sessions without a server.
@Suite struct SessionPartsTests {
    private func fields(_ site: String?, _ origin: String?) -> HTTPFields {
        var fields = HTTPFields()
        fields[.fetchSite] = site
        fields[.origin] = origin
        return fields
    }

    @Test(
        arguments: [
            ("same-origin", nil), ("same-origin", "http://evil.example"), ("none", nil),
            (nil, "http://shop.example:8080"),
            (nil, "https://SHOP.example:8080"), (nil, nil),
        ] as [(String?, String?)])
    func `a request from a page of this server or from no browser can make changes`(site: String?, origin: String?) {
        #expect(SameOrigin.holds(fields(site, origin), authority: "shop.example:8080"))
    }

    @Test(
        arguments: [
            ("cross-site", "http://shop.example:8080"), ("same-site", nil), ("", nil), (nil, "http://evil.example"),
            (nil, "http://shop.example"), (nil, "http://shop.example:8080.evil.example"), (nil, "null"), (nil, ""),
            (nil, "http://evil.example/://shop.example:8080"),
        ] as [(String?, String?)])
    func `a request from another site can't make changes`(site: String?, origin: String?) {
        #expect(!SameOrigin.holds(fields(site, origin), authority: "shop.example:8080"))
        #expect(!SameOrigin.holds(fields(site, origin ?? "http://shop.example:8080"), authority: nil))
    }

    @Test(arguments: ["/", "/campaigns/a%20b?from=2026-11-01&by=day", "/reports/x#y", "/a//b"])
    func `an address of the dashboard is a valid redirect target`(path: String) {
        #expect(LocalPath(path)?.text == path)
    }

    @Test(arguments: [
        "", "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "/\t/evil.example",
        "/\n/evil.example", "/a\\b", " /", "javascript:alert(1)", "/\u{E9}", "/" + String(repeating: "a", count: 2_048),
    ])
    func `any other address is not a valid redirect target`(path: String) {
        #expect(LocalPath(path) == nil)
    }

    @Test func `a form is parsed as browsers encode it, and unknown fields are ignored`() {
        let form = LoginForm(Array("next=%2Fcampaigns%2Fa%2520b%3Fx%3D1%2B1&key=+ap_read_x%0D%0A&z=1&%ZZ=1&key2".utf8))
        #expect(form.key == "ap_read_x")
        #expect(form.next == "/campaigns/a%20b?x=1+1")
        #expect(LoginForm([]).key.isEmpty)
        #expect(LoginForm(Array("key=%FF&next=%00".utf8)).next.isEmpty)
    }

    @Test func `a sign-in token is valid once and until it expires`() {
        let tokens = LoginTokens()
        let start = ContinuousClock.now
        let token = tokens.issue(for: "key", lifetime: .seconds(10), now: start)
        let other = tokens.issue(for: "other", lifetime: .seconds(10), now: start)
        #expect(token.count == 43 && token != other)
        #expect(tokens.take(token, now: start + .seconds(9)) == "key")
        #expect(tokens.take(token, now: start + .seconds(9)) == nil)
        #expect(tokens.take(other, now: start + .seconds(10)) == nil)
        #expect(tokens.take("", now: start) == nil)
    }

    @Test func `the cookie is limited to this server's pages, and under TLS to this host`() {
        let plain = SessionCookie(isSecure: false)
        #expect(
            plain.setting("x", for: .seconds(60))
                == "afterpush_session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax")
        #expect(plain.removing.hasPrefix("afterpush_session=; Path=/; Max-Age=0;"))
        let secure = SessionCookie(isSecure: true)
        #expect(
            secure.setting("x", for: .seconds(60))
                == "__Host-afterpush_session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure")
        #expect(secure.removing.hasPrefix("__Host-afterpush_session=; Path=/; Max-Age=0;"))
    }

    @Test func `a client uses TLS if this server does or a trusted proxy says so`() throws {
        let (proxy, stranger) = (
            try #require(ClientAddress(text: "10.0.0.1")), try #require(ClientAddress(text: "1.2.3.4"))
        )
        let clients = ClientFinder(proxies: try AddressList("10.0.0.0/8"), hasTLS: false)
        var fields = HTTPFields()
        #expect(!clients.isSecure(peer: proxy, fields))
        fields[.forwardedProtocol] = "HTTPS"
        #expect(clients.isSecure(peer: proxy, fields))
        #expect(!clients.isSecure(peer: stranger, fields))
        #expect(ClientFinder(proxies: .none, hasTLS: true).isSecure(peer: stranger, HTTPFields()))
    }
}
