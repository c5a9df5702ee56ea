import Hummingbird

/// The cookie that contains a browser's session token. Scripts can't read it, and browsers don't send it with what
/// pages of other sites load or post.
struct SessionCookie {
    /// Whether the browser uses TLS.
    ///
    /// Browsers accept a name that begins with `__Host-` only from this host itself and over TLS, and then send the
    /// cookie only over TLS. So neither another host of the domain nor an attacker on the network can set one.
    let isSecure: Bool

    var name: String { (isSecure ? "__Host-" : "") + "afterpush_session" }

    /// Returns the token of a request, or `nil` if it has none.
    func token(of request: Request) -> String? {
        request.cookies[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// Returns the header that sets the cookie.
    func setting(_ token: String, for lifetime: Duration) -> String {
        field(token, seconds: lifetime.components.seconds)
    }

    /// Returns the header that removes the cookie.
    var removing: String { field("", seconds: 0) }

    private func field(_ token: String, seconds: Int64) -> String {
        "\(name)=\(token); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax" + (isSecure ? "; Secure" : "")
    }
}
